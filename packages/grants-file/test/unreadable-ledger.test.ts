import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Clock, createGrant, systemClock } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { hostWith, systemError } from "./support/hosts.js";
import { makePipe } from "./support/named-pipe.js";
import { fileStore, query, storeOn } from "./support/stores.js";

const allow = createGrant("shell", "Allow", "this_tool", { createdAtMs: 1 });

describe("a damaged ledger", () => {
  const commented = '{"version":1,"grants":[],} // note';

  it("[CASE-114] is refused with its line and column, and never written over", async () => {
    const { store, write, text, path } = fileStore();
    write(commented);
    const operations = [
      () => store.load(),
      () => store.find(query("shell", {})),
      () => store.save(allow),
      () => store.revoke(allow.id),
    ];
    for (const operation of operations) {
      await expect(operation()).rejects.toMatchObject({
        code: "ledger_damaged",
        message: expect.stringContaining(`${path} is damaged at line 1, column 26`),
      });
    }
    expect(text()).toBe(commented);
    expect(readdirSync(dirname(path))).toEqual(["grants.json"]);
  });

  it.each([
    ["text", "not json at all", "line 1, column 1: "],
    ["bytes that are no UTF-8", Buffer.from("[]\n\xff", "latin1"), "line 2, column 1: not UTF-8"],
  ])("is told by place and by what is wrong there: %s", async (_what, content, told) => {
    const { store, write, path } = fileStore();
    write(content);
    await expect(store.load()).rejects.toMatchObject({
      code: "ledger_damaged",
      message: expect.stringContaining(`the grant ledger ${path} is damaged at ${told}`),
    });
  });

  it("[CASE-108] is what an empty file counts as", async () => {
    const { store, write, text } = fileStore();
    write("");
    await expect(store.load()).rejects.toMatchObject({ code: "ledger_damaged" });
    await expect(store.save(allow)).rejects.toMatchObject({ code: "ledger_damaged" });
    expect(text()).toBe("");
  });

  it("is noticed by a store that has read it whole before, and read again once it is mended", async () => {
    const { store, write, text } = fileStore();
    await store.save(allow);
    const whole = text();
    write(whole.slice(0, 40));
    await expect(store.find(query("shell", {}))).rejects.toMatchObject({ code: "ledger_damaged" });
    write(whole);
    expect(await store.find(query("shell", {}))).toEqual([allow]);
  });

  it("is kept under another name by clear, which counts 0, also twice in one millisecond", async () => {
    const stopped: Clock = { ...systemClock, now: () => 1_700_000_000_000 };
    const { store, write, path } = storeOn(hostWith({}, stopped));
    const contents = ["{}", commented, ""];
    for (const content of contents) {
      write(content);
      expect(await store.clear()).toBe(0);
      expect(existsSync(path)).toBe(false);
    }
    const names = readdirSync(dirname(path)).sort();
    expect(names).toEqual([0, 1, 2].map((later) => `grants.json.damaged-170000000000${later}`));
    const kept = names.map((name) => readFileSync(join(dirname(path), name), "utf8"));
    expect(kept).toEqual(contents);
    await store.save(allow);
    expect(await store.load()).toEqual([allow]);
  });
});

describe("what is no file", () => {
  it.each([
    ["a folder", (path: string) => mkdirSync(path, { recursive: true })],
    [
      "a pipe",
      (path: string) => {
        mkdirSync(dirname(path), { recursive: true });
        makePipe(path);
      },
    ],
  ])("is refused with code storage in the ledger's place: %s", async (_name, make) => {
    const { store, path } = fileStore();
    make(path);
    for (const operation of [() => store.load(), () => store.save(allow), () => store.clear()]) {
      await expect(operation()).rejects.toMatchObject({
        code: "storage",
        message: expect.stringContaining("is not a file"),
      });
    }
    expect(existsSync(path)).toBe(true);
  });

  it("nor readable is refused with code storage, and not taken for an empty ledger", async () => {
    const refused = { code: "storage", cause: { code: "EACCES" } };
    const readFile = () => {
      throw systemError("EACCES");
    };
    const { store, write, text } = storeOn({ ...hostWith({}), readFile });
    write("[]");
    for (const operation of [() => store.load(), () => store.save(allow), () => store.clear()]) {
      await expect(operation()).rejects.toMatchObject(refused);
    }
    expect(text()).toBe("[]");
    const { store: other } = storeOn(
      hostWith({ stat: (): Promise<never> => Promise.reject(systemError("EACCES")) }),
    );
    await expect(other.load()).rejects.toMatchObject(refused);
  });

  it("nor known to be missing is refused with code storage", async () => {
    const { store } = storeOn(
      hostWith({ lstat: (): Promise<never> => Promise.reject(systemError("EACCES")) }),
    );
    for (const operation of [() => store.load(), () => store.save(allow), () => store.clear()]) {
      await expect(operation()).rejects.toMatchObject({ code: "storage", cause: { code: "EACCES" } });
    }
  });

  it("is refused with code storage in the folder's place", async () => {
    const { store, path, write } = fileStore();
    write("[]");
    rmSync(dirname(path), { recursive: true });
    execFileSync("touch", [dirname(path)]);
    await expect(store.load()).rejects.toMatchObject({ code: "storage", cause: { code: "ENOTDIR" } });
    await expect(store.save(allow)).rejects.toMatchObject({ code: "storage", cause: { code: "ENOTDIR" } });
  });
});
