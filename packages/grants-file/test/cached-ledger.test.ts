import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Clock, createGrant, systemClock } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { isSettled, sameStamp } from "../src/file-stamp.js";
import { countingHost, hostWith, systemError } from "./support/hosts.js";
import { foreignEntry, query, storeOn } from "./support/stores.js";
import { temporaryFolder } from "./support/temporary-folder.js";

/** The system's clock, five seconds ahead: to it, every file was changed long ago. */
const aheadClock: Clock = { ...systemClock, now: () => systemClock.now() + 5_000 };
const grant = createGrant("shell", "Allow", "this_tool", { createdAtMs: 1 });

/** A store that holds one grant and has read its ledger, and what it does to the file system from then on. */
async function warmStore(clock: Clock = aheadClock) {
  const { host, counts } = countingHost(clock);
  const bench = storeOn(host);
  await bench.store.save(grant);
  await bench.store.load();
  counts.clear();
  return {
    ...bench,
    counts,
    find: async () => (await bench.store.find(query("shell", {}))).map(({ id }) => id),
  };
}

describe("a ledger that was read", () => {
  it("costs one stat and nothing else to find in again while it is unchanged", async () => {
    const { counts, find } = await warmStore();
    for (let round = 1; round <= 3; round++) {
      expect(await find()).toEqual([grant.id]);
      expect([...counts]).toEqual([["stat", round]]);
    }
  });

  it("is read again for as long as a further change could go unnoticed", async () => {
    const { counts, find } = await warmStore({ ...systemClock, now: () => 0 });
    await find();
    expect(Object.fromEntries(counts)).toEqual({ stat: 1, readFile: 1 });
  });

  it.each([
    ["replaced by a file of the same size and time", "rename"],
    ["written in place, size and time kept", "in place"],
  ])("is read again when it is %s", async (_name, way) => {
    const { store, find, path } = await warmStore();
    utimesSync(path, 1_000, 1_000);
    await store.load();
    const before = statSync(path);
    const changed = readFileSync(path, "utf8").replace(grant.id, "0123456789abcdef");
    const written = way === "rename" ? `${path}.other` : path;
    writeFileSync(written, changed);
    utimesSync(written, 1_000, 1_000);
    if (way === "rename") renameSync(written, path);
    expect(statSync(path)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
    expect(await find()).toEqual(["0123456789abcdef"]);
  });

  it("is empty once the file is gone, and read again when it is back", async () => {
    const { find, path, text } = await warmStore();
    const before = text();
    rmSync(dirname(path), { recursive: true });
    expect(await find()).toEqual([]);
    mkdirSync(dirname(path));
    writeFileSync(path, before);
    expect(await find()).toEqual([grant.id]);
  });

  it("is empty when the file goes while it is being opened", async () => {
    const path = join(temporaryFolder(), "grants.json");
    writeFileSync(path, `[${foreignEntry("a")}]`);
    const readFile = () => {
      rmSync(path);
      throw systemError("ENOENT");
    };
    expect(await storeOn({ ...hostWith({}), readFile }, path).store.load()).toEqual([]);
  });

  it("is never taken from memory by a write", async () => {
    const { store, write, text } = await warmStore();
    const other = foreignEntry("other");
    write(`[${other}]`);
    await store.save(grant);
    expect(text().startsWith(`[${other},`)).toBe(true);
    await store.revoke("other");
    expect(JSON.parse(text())).toEqual([grant]);
  });
});

describe("sameStamp", () => {
  const stamp = { dev: 1n, ino: 2n, size: 3n, mtimeNs: 4n, ctimeNs: 5n };

  it.each(["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const)("sees a change of %s alone", (name) => {
    expect(sameStamp(stamp, { ...stamp })).toBe(true);
    expect(sameStamp(stamp, { ...stamp, [name]: 9n })).toBe(false);
  });
});

describe("isSettled", () => {
  const stamp = (ctimeNs: bigint) => ({ dev: 1n, ino: 1n, size: 1n, mtimeNs: 0n, ctimeNs });

  it.each([
    [1_000_000_500_000n, 1_000_000, false, "in the tick of the change"],
    [1_000_000_500_000n, 1_000_100, false, "100 ms after it"],
    [1_000_000_500_000n, 1_000_101, true, "later"],
    [1_000_000_000_000n, 1_002_000, false, "2 s after it, where the file system counts whole seconds"],
    [1_000_000_000_000n, 1_002_001, true, "later than that"],
    [9_000_000_500_000n, 1_000_000, false, "when the change lies in the future"],
  ])("of a change at %s ns, at %s ms: %s (%s)", (ctimeNs, readAtMs, expected) => {
    expect(isSettled(stamp(ctimeNs), readAtMs)).toBe(expected);
  });
});
