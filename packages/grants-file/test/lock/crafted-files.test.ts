import {
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeHost } from "../../src/host.js";
import { FileGrantStore } from "../../src/index.js";
import { LedgerLock } from "../../src/lock/ledger-lock.js";
import { nodeLockFiles } from "../../src/lock/lock-files.js";
import { lockOwnerText } from "../../src/lock/lock-owner.js";
import { nodeProcesses } from "../../src/lock/process-table.js";
import { makePipe } from "../support/named-pipe.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startWriter } from "../support/writers.js";

const nonce = (number: number) => number.toString(16).padStart(32, "0");
/** Of this boot and namespace, with a number that no process can have. */
const deadText = (number: number) =>
  lockOwnerText({ ...nodeProcesses.self(), pid: 2 ** 22 + 1, nonce: nonce(number) });

/** A ledger of which a process of its own saves, so that a fault which stops that process stops no test. */
function ledger() {
  const folder = temporaryFolder();
  const places = { projectDir: join(folder, "project"), rootDir: join(folder, "root") };
  const { ledgerPath } = new FileGrantStore(places);
  mkdirSync(dirname(ledgerPath), { recursive: true });
  const lock = `${ledgerPath}.lock`;
  return {
    ledgerPath,
    folder: dirname(ledgerPath),
    lock,
    take: (number: number) => `${lock}.take-${nonce(number)}`,
    save: (lockTimeoutMs = 100) => startWriter({ ...places, tools: ["shell"], lockTimeoutMs }).next(),
  };
}

/** What is no file of the lock's, and how an error calls it. */
const OBSTACLES: [what: string, make: (path: string) => void][] = [
  ["a symbolic link", (path) => symlinkSync("nowhere", path)],
  ["a symbolic link", (path) => symlinkSync(path, path)],
  ["a symbolic link", (path) => symlinkSync("/dev/zero", path)],
  [
    "a symbolic link",
    (path) => {
      writeFileSync(`${path}.target`, deadText(9));
      symlinkSync(`${path}.target`, path);
    },
  ],
  ["a named pipe", makePipe],
  ["a folder", (path) => mkdirSync(path)],
  [
    "a file that is too long",
    (path) => {
      writeFileSync(path, deadText(9));
      truncateSync(path, 2 ** 40);
    },
  ],
];

describe("a lock that no process made", () => {
  it.each(OBSTACLES)(
    "makes a save give up after lockTimeoutMs, and is told and left: %s",
    async (what, make) => {
      const { ledgerPath, lock, save } = ledger();
      make(lock);
      const before = lstatSync(lock);
      expect(await save()).toMatchObject({
        code: "ledger_busy",
        message: `the grant ledger ${ledgerPath} is locked by ${what} in the place of a lock file; gave up after 100 ms. If every process that uses this grant ledger has ended, remove ${lock}.`,
      });
      expect(lstatSync(lock)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    },
  );

  it.each(OBSTACLES)("does so in the place of a right to remove as well: %s", async (what, make) => {
    const { lock, take, save } = ledger();
    writeFileSync(lock, deadText(1));
    make(take(1));
    expect(await save()).toMatchObject({
      code: "ledger_busy",
      message: expect.stringMatching(new RegExp(`by ${what} in the place .* remove ${take(1)}\\.$`)),
    });
    expect(readFileSync(lock, "utf8")).toBe(deadText(1));
  });

  it.each(["../../escape", "a/b", "A".repeat(32), "0".repeat(31), `${"0".repeat(32)}\n`])(
    "is nobody's where its nonce is none of ours, and names no other file: %j",
    async (wrong) => {
      const { folder, lock, save } = ledger();
      writeFileSync(lock, JSON.stringify({ ...JSON.parse(deadText(1)), nonce: wrong }));
      expect(await save()).toMatchObject({
        code: "ledger_busy",
        message: expect.stringContaining("by a lock file that does not say whose it is;"),
      });
      expect(readdirSync(folder)).toEqual(["grants.json.lock"]);
    },
  );
});

describe("rights to remove that lead to no end", () => {
  const tangled = (lock: string) => ({
    code: "ledger_busy",
    message: expect.stringMatching(
      `by files of dead processes that lead to no end; gave up after 100 ms\\. If every process that uses this grant ledger has ended, remove ${lock} and every ${lock}\\.take-… beside it\\.`,
    ),
  });

  it("make a save give up where a dead owner's right is to remove itself", async () => {
    const { lock, take, save } = ledger();
    writeFileSync(lock, deadText(1));
    linkSync(lock, take(1));
    expect(await save()).toMatchObject(tangled(lock));
  });

  it("make a save give up where they lead in a circle", async () => {
    const { lock, take, save } = ledger();
    writeFileSync(lock, deadText(1));
    writeFileSync(take(1), deadText(2));
    writeFileSync(take(2), deadText(3));
    writeFileSync(take(3), deadText(1));
    expect(await save()).toMatchObject(tangled(lock));
  });

  it("make a save give up where there are more of them than processes ever left", async () => {
    const { lock, take, save } = ledger();
    writeFileSync(lock, deadText(0));
    for (let index = 0; index < 64; index++) writeFileSync(take(index), deadText(index + 1));
    expect(await save()).toMatchObject(tangled(lock));
  });

  it("are followed to the end where there are as many as processes may have left", async () => {
    const { folder, lock, take, save } = ledger();
    writeFileSync(lock, deadText(0));
    for (let index = 0; index < 63; index++) writeFileSync(take(index), deadText(index + 1));
    expect(await save(10_000)).toMatchObject({ event: "saved" });
    expect(readdirSync(folder)).toEqual(["grants.json"]);
  });
});

describe("a lock that changes at every look", () => {
  it.each([0, 30])("is given up after %d ms", async (timeoutMs) => {
    let looks = 0;
    const link = async () => {
      looks += 1;
      if (looks > 1_000) throw new Error("it is looked at for ever");
      return false;
    };
    const lockFiles = { ...nodeLockFiles, link, read: async () => null };
    const lock = new LedgerLock({ ...nodeHost, lockFiles }, timeoutMs);
    const file = join(temporaryFolder(), "grants.json");
    await expect(lock.hold(file, async () => undefined)).rejects.toMatchObject({
      code: "ledger_busy",
      message: `the grant ledger ${file} is locked by processes that come and go; gave up after ${timeoutMs} ms. Try again later.`,
    });
  });

  it("lets timers fire meanwhile", async () => {
    let fired = false;
    setTimeout(() => (fired = true), 20);
    let looks = 0;
    const link: typeof nodeLockFiles.link = async (path, name) => {
      looks += 1;
      if (looks > 100_000) throw new Error("no timer fired");
      return fired ? nodeLockFiles.link(path, name) : false;
    };
    const read: typeof nodeLockFiles.read = async (path) => (fired ? nodeLockFiles.read(path) : null);
    const lock = new LedgerLock({ ...nodeHost, lockFiles: { ...nodeLockFiles, link, read } }, 10_000);
    const file = join(temporaryFolder(), "grants.json");
    expect(await lock.hold(file, async () => "held")).toBe("held");
  });
});

describe("a contender's own file", () => {
  it.each(OBSTACLES)("is never made of what stands there already: %s", async (_what, make) => {
    const path = join(temporaryFolder(), "own");
    make(path);
    const before = lstatSync(path);
    await expect(nodeLockFiles.create(path, "text")).rejects.toMatchObject({ code: "EEXIST" });
    expect(lstatSync(path)).toMatchObject({ ino: before.ino, size: before.size, mtimeMs: before.mtimeMs });
  });
});

describe("what has the name of a left-over file", () => {
  const names = [
    `.grants.json.lock.${nonce(1)}`,
    `grants.json.lock.take-${nonce(2)}`,
    `.grants.json.${nonce(3)}.tmp`,
  ];

  it.each(OBSTACLES.filter(([what]) => what !== "a file that is too long"))(
    "is not opened, followed or removed where it is no file, however old: %s",
    async (_what, make) => {
      const { folder, save } = ledger();
      for (const name of names) {
        make(join(folder, name));
        lutimesSync(join(folder, name), 1, 1);
      }
      expect(await save()).toMatchObject({ event: "saved" });
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
    },
  );

  it("is left where it is far longer than what the lock writes", async () => {
    const { folder, save } = ledger();
    const path = join(folder, `.grants.json.lock.${nonce(1)}`);
    writeFileSync(path, "");
    truncateSync(path, 100_000);
    lutimesSync(path, 1, 1);
    expect(await save()).toMatchObject({ event: "saved" });
    expect(lstatSync(path).size).toBe(100_000);
  });
});
