import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGrant, type Grant } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { FileGrantStore } from "../src/index.js";
import { fileStore, foreignEntry, query } from "./support/stores.js";

const allow = createGrant("shell", "Allow", "this_tool", { createdAtMs: 1 });
const deny = createGrant(
  "shell",
  "Deny",
  { this_call: { args: { command: "rm -rf /" } } },
  { createdAtMs: 2 },
);

const ids = (grants: Grant[]) => grants.map(({ id }) => id);

describe("FileGrantStore", () => {
  it("[CASE-082] adds one grant to ninety and keeps their order and unknown fields", async () => {
    const { store, write, text } = fileStore();
    const entries = Array.from({ length: 90 }, (_, index) =>
      foreignEntry(`g${index}`, { verdict: index < 80 ? "Allow" : "Deny" }),
    );
    write(`[${entries.join(",")}]`);
    await store.save(allow);
    const after = await store.load();
    expect(ids(after)).toEqual([...Array.from({ length: 90 }, (_, index) => `g${index}`), allow.id]);
    expect(text().startsWith(`[${entries.join(",")},`)).toBe(true);
  });

  it("[CASE-094] forgets a revoked grant, and says when there was nothing to revoke", async () => {
    const { store, text } = fileStore();
    await store.save(allow);
    expect(await store.find(query("shell", {}))).toEqual([allow]);
    expect(await store.revoke(allow.id)).toEqual(allow);
    expect(await store.find(query("shell", {}))).toEqual([]);
    expect(await store.load()).toEqual([]);
    expect(text()).toBe("[]");
    expect(await store.revoke(allow.id)).toBeNull();
  });

  it.each([
    ["half a character", foreignEntry("a").replace('"a"', '"\ud800"'), "not_json"],
    ["a byte order mark", `\ufeff${foreignEntry("a")}`, "bad_json"],
    ["a blank that JSON does not know", `${foreignEntry("a")}\u00a0`, "bad_json"],
  ])("saves no text with %s, which would come back as another", async (_, spoilt, code) => {
    const { store, text } = fileStore();
    await store.save(allow);
    const before = text();
    await expect(store.saveText(spoilt)).rejects.toMatchObject({ code });
    expect(text()).toBe(before);
    expect(await store.load()).toEqual([allow]);
  });

  it("makes no file and no folder when an unknown id is revoked", async () => {
    const { store, path } = fileStore();
    expect(await store.revoke("no-such-id")).toBeNull();
    expect(await store.clear()).toBe(0);
    expect(await store.load()).toEqual([]);
    expect(existsSync(dirname(dirname(dirname(path))))).toBe(false);
  });

  it("does not write when an unknown id is revoked", async () => {
    const { store, write, path } = fileStore();
    write(`[ ${foreignEntry("a")} ]`);
    const before = statSync(path, { bigint: true });
    expect(await store.revoke("no-such-id")).toBeNull();
    expect(statSync(path, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
  });

  it("[CASE-095] loses nothing when two stores that opened the ledger early save in turn", async () => {
    const first = fileStore();
    const second = new FileGrantStore({
      projectDir: join(dirname(first.path), "../../../project"),
      rootDir: join(dirname(first.path), "../.."),
    });
    expect(second.ledgerPath).toBe(first.path);
    expect([await first.store.load(), await second.load()]).toEqual([[], []]);
    const tools = ["a1", "b1", "a2"];
    const [a1, b1, a2] = tools.map((tool) => createGrant(tool, "Allow", "this_tool")) as [
      Grant,
      Grant,
      Grant,
    ];
    await first.store.save(a1);
    await second.save(b1);
    await first.store.save(a2);
    for (const store of [first.store, second])
      expect((await store.load()).map(({ tool }) => tool)).toEqual(tools);
  });

  it("leaves expired grants out of find, not out of load", async () => {
    const { store } = fileStore();
    const expiring = { ...allow, expires_at_ms: 1_000 };
    await store.save(expiring);
    expect(await store.find(query("shell", {}, 999))).toEqual([expiring]);
    expect(await store.find(query("shell", {}, 1_000))).toEqual([]);
    expect(await store.load()).toEqual([expiring]);
  });

  it("finds by the arguments' canonical text, in insertion order", async () => {
    const { store } = fileStore();
    await store.save(deny);
    await store.save(allow);
    expect(ids(await store.find(query("shell", { command: "rm -rf /" })))).toEqual([deny.id, allow.id]);
    expect(ids(await store.find(query("shell", { command: "ls" })))).toEqual([allow.id]);
    expect(await store.find(query("other", {}))).toEqual([]);
  });

  it("gives and takes copies", async () => {
    const { store } = fileStore();
    const args = { deep: [1] };
    const grant = createGrant("t", "Allow", { this_call: { args } }, { createdAtMs: 1 });
    const saved = await store.save(grant);
    for (const copy of [saved, ...(await store.load()), ...(await store.find(query("t", { deep: [1] })))]) {
      copy.tool = "changed";
      if (copy.scope !== "this_tool") copy.scope.this_call.args = "changed";
    }
    expect(await store.load()).toEqual([grant]);
  });

  it("takes a grant as it is when save is called", async () => {
    const { store } = fileStore();
    const grant = { ...allow };
    const saving = store.save(grant);
    grant.note = "later";
    await saving;
    expect(await store.load()).toEqual([allow]);
  });

  it("rejects what is no grant, and writes nothing", async () => {
    const { store, path } = fileStore();
    await expect(store.save({ ...allow, verdict: "allow" as "Allow" })).rejects.toMatchObject({
      code: "bad_record",
    });
    await expect(store.save({ ...allow, note: "\ud800" })).rejects.toMatchObject({ code: "not_json" });
    expect(existsSync(path)).toBe(false);
  });

  it("covers nothing by arguments whose numbers JavaScript cannot keep, and reports each such grant once", async () => {
    const { store, write, reports, text } = fileStore();
    const call = (id: string, args: string) =>
      `{"id":"${id}","tool":"t","verdict":"Deny","scope":{"this_call":{"args":${args}}},"created_at_ms":0}`;
    const inexact = [call("one", "1.0"), call("big", '{"n":9007199254740993}')];
    write(`[${inexact[0]},${call("exact", "1")},${inexact[1]}]`);
    expect(ids(await store.find(query("t", 1)))).toEqual(["exact"]);
    expect(ids(await store.find(query("t", { n: 9007199254740992 })))).toEqual([]);
    expect(ids(await store.load())).toEqual(["one", "exact", "big"]);
    await store.save(allow);
    await store.load();
    expect(reports.map(({ level }) => level)).toEqual(["warn", "warn"]);
    expect(reports[0]?.message).toContain("grant one covers no call");
    expect(reports[1]?.message).toContain("grant big covers no call");
    for (const entry of inexact) expect(text()).toContain(entry);
    expect((await store.revoke("big"))?.id).toBe("big");
  });

  it("finds again what it saved, whatever the numbers", async () => {
    const { store, reports } = fileStore();
    for (const n of [1e20, 1e21, 1.5e300, 5e-324, 2 ** 64, -0, 0.1]) {
      const grant = await store.save(createGrant("t", "Deny", { this_call: { args: { n } } }));
      expect(ids(await store.find(query("t", { n })))).toEqual([grant.id]);
    }
    expect(reports).toEqual([]);
  });

  it("clears by removing the file and keeping the folder", async () => {
    const { store, path } = fileStore();
    await store.save(allow);
    await store.save(deny);
    expect(await store.clear()).toBe(2);
    expect(readdirSync(dirname(path))).toEqual([]);
    expect(await store.load()).toEqual([]);
    expect(await store.clear()).toBe(0);
  });
});
