import { existsSync, readdirSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Host, nodeHost } from "../../src/host.js";
import { LedgerLock } from "../../src/lock/ledger-lock.js";
import { lockOwnerText, parseLockOwner } from "../../src/lock/lock-owner.js";
import { nodeProcesses } from "../../src/lock/process-table.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const nonce = (digit: string) => digit.repeat(32);
const self = nodeProcesses.self();
/** Of this boot and namespace, with a number that no process can have. */
const dead = { ...self, pid: 2 ** 22 + 1 };

function lockOn(file: string, timeoutMs = 10_000, host: Host = nodeHost) {
  const lock = new LedgerLock(host, timeoutMs);
  return {
    hold: <Result>(work: () => Promise<Result>) => lock.hold(file, work),
    owner: () => parseLockOwner(readFileSync(`${file}.lock`, "utf8")),
    names: () => readdirSync(dirname(file)).sort(),
  };
}

describe("LedgerLock", () => {
  it("says while it is held who holds it, and leaves nothing behind", async () => {
    const { hold, owner, names } = lockOn(join(temporaryFolder(), "grants.json"));
    const during = await hold(async () => ({ owner: owner(), names: names() }));
    expect(during.owner).toMatchObject(self);
    expect(during.names).toEqual(["grants.json.lock"]);
    expect(names()).toEqual([]);
  });

  it("is released when the work fails, whose error is told", async () => {
    const { hold, names } = lockOn(join(temporaryFolder(), "grants.json"));
    await expect(hold(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(names()).toEqual([]);
  });

  it("lets a second holder of the same process wait its turn", async () => {
    const file = join(temporaryFolder(), "grants.json");
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} out`);
    };
    await Promise.all([lockOn(file).hold(work("a")), lockOn(file).hold(work("b"))]);
    expect(order.map((entry) => entry.slice(2))).toEqual(["in", "out", "in", "out"]);
  });

  it("[CASE-183] leaves on release a lock that somebody else has taken since", async () => {
    const file = join(temporaryFolder(), "grants.json");
    const [a, b] = [lockOn(file), lockOn(file)];
    let release = () => {};
    const holding = new Promise<void>((held) => {
      void a.hold(async () => {
        unlinkSync(`${file}.lock`);
        held();
        await new Promise<void>((resolve) => (release = resolve));
      });
    });
    await holding;
    await b.hold(async () => {
      const owner = b.owner();
      release();
      await new Promise((resolve) => setImmediate(resolve));
      expect(b.owner()).toEqual(owner);
    });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it("follows a chain of processes that died while each was removing the one before", async () => {
    const file = join(temporaryFolder(), "grants.json");
    writeFileSync(`${file}.lock`, lockOwnerText({ ...dead, nonce: nonce("a") }));
    writeFileSync(`${file}.lock.take-${nonce("a")}`, lockOwnerText({ ...dead, nonce: nonce("b") }));
    writeFileSync(`${file}.lock.take-${nonce("b")}`, lockOwnerText({ ...dead, nonce: nonce("c") }));
    const { hold, owner, names } = lockOn(file);
    await hold(async () => expect(owner()).toMatchObject(self));
    expect(names()).toEqual([]);
  });

  it("waits for a running process that is removing a dead one's lock", async () => {
    const file = join(temporaryFolder(), "grants.json");
    writeFileSync(`${file}.lock`, lockOwnerText({ ...dead, nonce: nonce("a") }));
    writeFileSync(`${file}.lock.take-${nonce("a")}`, lockOwnerText({ ...self, nonce: nonce("b") }));
    await expect(lockOn(file, 20).hold(async () => undefined)).rejects.toMatchObject({
      code: "ledger_busy",
      message: expect.stringContaining(`process ${self.pid}, which is running`),
    });
  });

  it("enters again when its own file was swept away while it waited", async () => {
    const file = join(temporaryFolder(), "grants.json");
    let sweeps = 1;
    const link: Host["lockFiles"]["link"] = (path, name) => {
      if (sweeps-- > 0) unlinkSync(path);
      return nodeHost.lockFiles.link(path, name);
    };
    const { hold, names } = lockOn(file, 1_000, { ...nodeHost, lockFiles: { ...nodeHost.lockFiles, link } });
    await hold(async () => undefined);
    expect(names()).toEqual([]);
  });
});

describe("what killed processes left beside a ledger", () => {
  const old = new Date(Date.now() - 61_000);

  function strays() {
    const folder = temporaryFolder();
    const put = (name: string, text: string, changed: Date) => {
      writeFileSync(join(folder, name), text);
      utimesSync(join(folder, name), changed, changed);
    };
    return { ...lockOn(join(folder, "grants.json")), put };
  }

  it("is removed a minute later, by the next holder", async () => {
    const { put, hold, names } = strays();
    put(`.grants.json.lock.${nonce("a")}`, lockOwnerText({ ...dead, nonce: nonce("a") }), old);
    put(`.grants.json.lock.${nonce("b")}`, "", old);
    put(`grants.json.lock.take-${nonce("c")}`, lockOwnerText({ ...dead, nonce: nonce("d") }), old);
    put(`.grants.json.${nonce("e")}.tmp`, "[", old);
    await hold(async () => undefined);
    expect(names()).toEqual([]);
  });

  it.each([
    ["is younger", `.grants.json.${nonce("a")}.tmp`, "[", new Date()],
    [
      "belongs to a running process",
      `.grants.json.lock.${nonce("a")}`,
      lockOwnerText({ ...self, nonce: nonce("a") }),
      old,
    ],
    ["is another ledger's", `.other.json.${nonce("a")}.tmp`, "[", old],
    ["is a damaged ledger", "grants.json.damaged-1", "[", old],
    ["has another name", `.grants.json.${nonce("g")}.tmp`, "[", old],
  ])("stays when it %s", async (_why, name, text, changed) => {
    const { put, hold, names } = strays();
    put(name, text, changed);
    await hold(async () => undefined);
    expect(names()).toEqual([name]);
  });
});
