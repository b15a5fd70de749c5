import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createGrant } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { fileStore, foreignEntry, query } from "./support/stores.js";

const grant = createGrant("shell", "Allow", "this_tool", { createdAtMs: 1 });

/** A store whose ledger is a symbolic link to `../dot/ledger.json`. */
function linkedStore() {
  const bench = fileStore();
  const folder = dirname(bench.path);
  const target = join(dirname(folder), "dot", "ledger.json");
  mkdirSync(folder, { recursive: true });
  mkdirSync(dirname(target));
  symlinkSync("../dot/ledger.json", bench.path);
  return { ...bench, folder, target };
}

describe("a ledger that is a symbolic link", () => {
  it("[CASE-105] keeps the link and updates its target, the temporary file made beside the target", async () => {
    const { store, path, target, folder } = linkedStore();
    writeFileSync(target, `[${foreignEntry("old")}]`);
    await store.save(grant);
    expect(readlinkSync(path)).toBe("../dot/ledger.json");
    expect(JSON.parse(readFileSync(target, "utf8")).map(({ id }: { id: string }) => id)).toEqual([
      "old",
      grant.id,
    ]);
    expect(readdirSync(folder)).toEqual(["grants.json"]);
    expect(readdirSync(dirname(target))).toEqual(["ledger.json"]);
    expect(lstatSync(target).mode & 0o777).toBe(0o600);
    expect((await store.revoke("old"))?.id).toBe("old");
    expect(await store.load()).toEqual([grant]);
  });

  it("[CASE-105] fails for every operation when the link dangles, and makes no file", async () => {
    const { store, target, path } = linkedStore();
    const operations = [
      () => store.load(),
      () => store.find(query("shell", 1)),
      () => store.save(grant),
      () => store.revoke(grant.id),
      () => store.clear(),
    ];
    for (const operation of operations) await expect(operation()).rejects.toMatchObject({ code: "storage" });
    await expect(store.load()).rejects.toThrow("is a symbolic link that leads to no file");
    expect(existsSync(target)).toBe(false);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it("[CASE-105] fails when the link loops", async () => {
    const { store, target, path } = linkedStore();
    symlinkSync(path, target);
    await expect(store.load()).rejects.toMatchObject({ code: "storage" });
    await expect(store.save(grant)).rejects.toThrow("is a symbolic link that cannot be followed");
    expect(lstatSync(target).isSymbolicLink()).toBe(true);
  });

  it("is emptied by clear, and can be saved to again", async () => {
    const { store, target, path } = linkedStore();
    writeFileSync(target, `[${foreignEntry("old")}]`);
    expect(await store.clear()).toBe(1);
    expect(readFileSync(target, "utf8")).toBe("[]");
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    await store.save(grant);
    expect(JSON.parse(readFileSync(target, "utf8"))).toEqual([grant]);
  });

  it("is kept under another name by clear when it is damaged, and can be saved to again", async () => {
    const { store, target, folder } = linkedStore();
    writeFileSync(target, "{}");
    expect(await store.clear()).toBe(0);
    expect(readFileSync(target, "utf8")).toBe("[]");
    const aside = readdirSync(folder).filter((name) => name.startsWith("grants.json.damaged-"));
    expect(aside.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["{}"]);
    await store.save(grant);
    expect(await store.load()).toEqual([grant]);
  });
});
