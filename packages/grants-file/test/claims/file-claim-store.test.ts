import {
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { systemClock } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ClaimFolder } from "../../src/claims/claim-folder.js";
import { claimPath } from "../../src/claims/claim-names.js";
import { FileClaimStore } from "../../src/index.js";
import { lockOwnerText } from "../../src/lock/lock-owner.js";
import { nodeProcesses } from "../../src/lock/process-table.js";
import { hostWith, systemError } from "../support/hosts.js";
import { makePipe } from "../support/named-pipe.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

function storeAt(startMs?: number) {
  const clock = new ManualClock(startMs);
  const folder = join(temporaryFolder(), "state", "claims");
  return { clock, folder, store: new FileClaimStore({ folder, clock }) };
}

describe("a claim on files", () => {
  it("is over at its last millisecond, and not before", async () => {
    const { clock, store } = storeAt();
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(true);
    clock.advance(999);
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(false);
    clock.advance(1);
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(true);
    clock.advance(999);
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(false);
  });

  it("makes folders 0700 and a file 0600 whose name does not tell the key, and leaves nothing else", async () => {
    const { folder, store } = storeAt();
    await store.claim("secret", { ttlMs: 1_000 });
    await store.claim("secret", { ttlMs: 1_000 });
    const [name = "", ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect([modeOf(folder), modeOf(join(folder, ".."))]).toEqual(["700", "700"]);
    expect(modeOf(join(folder, name))).toBe("600");
  });

  it("removes what is over, about once a minute, and what killed processes left", async () => {
    const { clock, folder, store } = storeAt(Date.now());
    for (let key = 0; key < 20; key += 1) await store.claim(`${key}`, { ttlMs: 30_000 });
    await store.claim("lasting", { ttlMs: 600_000 });
    const stray = join(folder, `.claims.${"ab".repeat(16)}.tmp`);
    writeFileSync(stray, "");
    utimesSync(stray, new Date(0), new Date(0));
    clock.advance(59_999);
    await store.claim("a", { ttlMs: 600_000 });
    expect(readdirSync(folder)).toHaveLength(23);
    clock.advance(1);
    await store.claim("b", { ttlMs: 600_000 });
    expect(readdirSync(folder).sort()).toEqual(["lasting", "a", "b"].map((key) => claimPath("", key)).sort());
  });

  it.each([
    "",
    "{}\n",
    "[]\n",
    '{"until_ms":"soon"}\n',
    '{"until_ms":1.5}\n',
    '{"until_ms":1}',
    '{"until_ms":1}\n\u0000\n',
    "\u0000",
  ])("whose file holds %j is refused to everybody, and stays", async (text) => {
    const { clock, folder, store } = storeAt();
    mkdirSync(folder, { recursive: true });
    writeFileSync(claimPath(folder, "k"), text);
    const refusal = { code: "storage", message: expect.stringContaining(claimPath(folder, "k")) };
    await expect(store.claim("k", { ttlMs: 1 })).rejects.toMatchObject(refusal);
    clock.advance(600_000);
    await store.claim("other", { ttlMs: 1 });
    await expect(store.claim("k", { ttlMs: 1 })).rejects.toMatchObject(refusal);
  });

  it.each<[what: string, put: (path: string) => void]>([
    ["a symbolic link that leads nowhere", (path) => symlinkSync(`${path}.nowhere`, path)],
    ["a symbolic link to itself", (path) => symlinkSync(path, path)],
    ["a folder", (path) => mkdirSync(path)],
    ["a named pipe", makePipe],
    ["a file that is too long", (path) => writeFileSync(path, Buffer.alloc(5_000, "\n"))],
  ])("in whose place lies %s is refused to everybody, and waits for nothing", async (what, put) => {
    const { folder, store } = storeAt();
    mkdirSync(folder, { recursive: true });
    put(claimPath(folder, "k"));
    const message = expect.stringContaining(`is ${what.replace(/ (that leads.*|to itself)$/, "")}`);
    await expect(store.claim("k", { ttlMs: 1_000 })).rejects.toMatchObject({ code: "storage", message });
    expect(readdirSync(folder)).toEqual([basename(claimPath(folder, "k"))]);
  });

  it("whose turn another process keeps from it says so of the folder, and what can be done", async () => {
    const { clock, folder } = storeAt();
    const store = new FileClaimStore({ folder, clock, lockTimeoutMs: 0 });
    await store.claim("k", { ttlMs: 1 });
    clock.advance(1);
    const lock = join(folder, "claims.lock");
    const self = nodeProcesses.self();
    const refused = (by: string, advice: string) => ({
      code: "ledger_busy",
      message: `the claim folder ${folder} is locked by ${by}; gave up after 0 ms. ${advice}`,
    });
    writeFileSync(lock, lockOwnerText({ ...self, nonce: "0".repeat(32) }));
    await expect(store.claim("k", { ttlMs: 1 })).rejects.toMatchObject(
      refused(
        `process ${self.pid}, which is running`,
        "Try again when it has finished, or end it if it hangs.",
      ),
    );
    writeFileSync(lock, "");
    await expect(store.claim("k", { ttlMs: 1 })).rejects.toMatchObject(
      refused(
        "a lock file that does not say whose it is",
        `If every process that uses this claim folder has ended, remove ${lock}.`,
      ),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("makes no claim by a clock that says %s", async (nowMs) => {
    const folder = join(temporaryFolder(), "claims");
    const broken = new FileClaimStore({ folder, clock: { ...systemClock, now: () => nowMs } });
    await expect(broken.claim("k", { ttlMs: 5 })).rejects.toMatchObject({ code: "storage" });
    expect(await new FileClaimStore({ folder }).claim("k", { ttlMs: 5 })).toBe(true);
  });

  it("goes by a clock with fractions of a millisecond, too", async () => {
    const folder = join(temporaryFolder(), "claims");
    const clock = { ...systemClock, now: () => nowMs };
    let nowMs = 1_000.25;
    const store = new FileClaimStore({ folder, clock });
    expect(await store.claim("k", { ttlMs: 5 })).toBe(true);
    nowMs = 1_005.1;
    expect(await store.claim("k", { ttlMs: 5 })).toBe(false);
    nowMs = 1_006;
    expect(await store.claim("k", { ttlMs: 5 })).toBe(true);
  });

  it.each([
    ["made", "new", "append"],
    ["taken over", "over", "append"],
    ["put in its place", "over", "rename"],
  ])("leaves no file where it cannot be %s on a full disk", async (_, key, refused) => {
    const clock = new ManualClock();
    const folder = join(temporaryFolder(), "claims");
    const { files } = hostWith({});
    let isFull = false;
    const full = () => Promise.reject(systemError("ENOSPC"));
    const open = (async (...given: Parameters<typeof files.open>) => {
      const handle = await files.open(...given);
      return isFull && refused === "append" ? Object.assign(handle, { appendFile: full }) : handle;
    }) as typeof files.open;
    const rename: typeof files.rename = (from, to) =>
      isFull && refused === "rename" ? full() : files.rename(from, to);
    const claims = new ClaimFolder(folder, hostWith({ open, rename }), clock, 0);
    expect(await claims.claim("over", 1)).toBe(true);
    clock.advance(1);
    const before = readdirSync(folder);
    isFull = true;
    const refusal = { code: "storage", cause: { code: "ENOSPC" } };
    await expect(claims.claim(key, 1_000)).rejects.toMatchObject(refusal);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("is refused where the folder cannot be written", async () => {
    const host = hostWith({ open: () => Promise.reject(systemError("EACCES")) });
    const claims = new ClaimFolder(join(temporaryFolder(), "claims"), host, new ManualClock(), 0);
    await expect(claims.claim("k", 1)).rejects.toMatchObject({ code: "storage", cause: { code: "EACCES" } });
  });

  it("that failed after it was made is nobody's: the next one reads false", async () => {
    const folder = join(temporaryFolder(), "claims");
    const clock = new ManualClock();
    let isBroken = false;
    const { files } = hostWith({});
    const host = hostWith({
      open: (async (...given: Parameters<typeof files.open>) => {
        if (isBroken && given[1] === "r") throw systemError("EIO");
        return files.open(...given);
      }) as typeof files.open,
    });
    const claims = new ClaimFolder(folder, host, clock, 0);
    expect(await claims.claim("first", 1)).toBe(true);
    isBroken = true;
    await expect(claims.claim("k", 1_000)).rejects.toMatchObject({ code: "storage" });
    isBroken = false;
    expect(await claims.claim("k", 1_000)).toBe(false);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("lasts its whole time from when it stands, however long it took to write", async () => {
    const clock = new ManualClock();
    const { files } = hostWith({});
    const host = hostWith({
      // Opened to be made safe on disk, the claim in it.
      open: (async (...given: Parameters<typeof files.open>) => {
        if (given[1] === "r") clock.advance(400);
        return files.open(...given);
      }) as typeof files.open,
    });
    const claims = new ClaimFolder(join(temporaryFolder(), "claims"), host, clock, 0);
    for (const _ of ["made", "taken over"]) {
      expect(await claims.claim("k", 5)).toBe(true);
      clock.advance(4);
      expect(await claims.claim("k", 5)).toBe(false);
      clock.advance(1);
    }
  });

  it("is not true for one that was stopped until it was another's", async () => {
    const { clock, folder, store } = storeAt();
    const { files } = hostWith({});
    let others: boolean | null = null;
    const host = hostWith({
      open: (async (...given: Parameters<typeof files.open>) => {
        if (given[1] === "r" && others === null) {
          clock.advance(60_005);
          others = false;
          others = await store.claim("k", { ttlMs: 1_000 });
        }
        return files.open(...given);
      }) as typeof files.open,
    });
    expect(await new ClaimFolder(folder, host, clock, 0).claim("k", 5)).toBe(false);
    expect(others).toBe(true);
  });

  it.each(["made", "taken over"])("is true for one where the clock jumps while it is %s", async (how) => {
    for (const looks of [1, 2, 3, 4, 5, 6]) {
      const clock = new ManualClock();
      let left = Number.POSITIVE_INFINITY;
      const now = () => {
        left -= 1;
        if (left === 0) queueMicrotask(() => clock.advance(3_600_000));
        return clock.now();
      };
      const folder = join(temporaryFolder(), "claims");
      const claims = new ClaimFolder(folder, hostWith({}), { ...systemClock, now }, 0);
      if (how === "taken over") await claims.claim("k", 1);
      clock.advance(1);
      left = looks;
      expect([looks, await claims.claim("k", 30_000)]).toEqual([looks, true]);
    }
  });

  it("whose maker died before it was told lasts a minute longer, and a half-written line counts for nothing", async () => {
    const { clock, folder, store } = storeAt();
    mkdirSync(folder, { recursive: true });
    const untilMs = clock.now() + 60_005;
    writeFileSync(claimPath(folder, "k"), `{"until_ms":${untilMs}}\n{"until_ms":1`);
    clock.advance(60_004);
    expect(await store.claim("k", { ttlMs: 5 })).toBe(false);
    clock.advance(1);
    expect(await store.claim("k", { ttlMs: 5 })).toBe(true);
  });

  it.each(["", "a\0b"])("refuses the folder %j", (folder) => {
    expect(() => new FileClaimStore({ folder })).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });

  it("makes nothing before the first claim", () => {
    const { folder } = storeAt();
    expect(existsSync(folder)).toBe(false);
  });
});
