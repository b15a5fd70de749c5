import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGrant } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { FileGrantStore } from "../src/index.js";
import { parseLockOwner } from "../src/lock/lock-owner.js";
import { nodeProcesses } from "../src/lock/process-table.js";
import { temporaryFolder } from "./support/temporary-folder.js";
import { startWriter, type WriterOptions } from "./support/writers.js";

const grant = (tool: string) => createGrant(tool, "Allow", "this_tool");

/** One project: stores on it in this process, and writers in others. */
function project() {
  const folder = temporaryFolder();
  const places = { projectDir: join(folder, "project"), rootDir: join(folder, "root") };
  const { ledgerPath } = new FileGrantStore(places);
  return {
    ledgerPath,
    store: (lockTimeoutMs = 10_000) => new FileGrantStore({ ...places, lockTimeoutMs }),
    writer: (options: Omit<WriterOptions, "projectDir" | "rootDir">) =>
      startWriter({ ...places, ...options }),
    lockOwner: () => parseLockOwner(readFileSync(`${ledgerPath}.lock`, "utf8")),
    tools: async () => (await new FileGrantStore(places).load()).map(({ tool }) => tool),
  };
}

const busy = (pid: number) => ({ code: "ledger_busy", message: expect.stringContaining(`process ${pid}`) });

describe("a process that dies while it holds the lock", () => {
  it("keeps others waiting for a moment only, and leaves the old ledger whole", async () => {
    const { writer, store, tools } = project();
    await store().save(grant("before"));
    const holder = writer({ tools: ["never"], pause: { point: "commit", how: "hang" } });
    expect(await holder.next()).toEqual({ event: "paused" });
    await expect(store(50).save(grant("early"))).rejects.toMatchObject(busy(holder.pid));
    holder.kill("SIGKILL");
    const diedAtMs = performance.now();
    await store().save(grant("after"));
    const waitedMs = performance.now() - diedAtMs;
    expect(waitedMs).toBeLessThan(5_000);
    expect((await holder.ended).signal).toBe("SIGKILL");
    expect(await tools()).toEqual(["before", "after"]);
  });
});

describe("a process that is stopped while it holds the lock", () => {
  it("is not robbed of it, and loses nothing when it goes on", async () => {
    const { writer, store, tools, lockOwner } = project();
    const holder = writer({ tools: ["stopped"], pause: { point: "commit", how: "stop" } });
    await holder.next();
    const owner = lockOwner();
    expect(owner?.pid).toBe(holder.pid);
    await expect(store(300).save(grant("impatient"))).rejects.toMatchObject(busy(holder.pid));
    const patient = store().save(grant("patient"));
    expect(lockOwner()).toEqual(owner);
    holder.kill("SIGCONT");
    expect(await holder.next()).toMatchObject({ event: "saved", tool: "stopped" });
    await patient;
    expect(await tools()).toEqual(["stopped", "patient"]);
  });
});

describe("two processes that both judge a lock dead", () => {
  it("[CASE-109] have one holder: the slower one leaves the lock that the quicker one has taken since", async () => {
    const { writer, store, tools, lockOwner } = project();
    const dead = writer({ tools: ["never"], pause: { point: "commit", how: "hang" } });
    await dead.next();
    dead.kill("SIGKILL");
    await dead.ended;

    const takeover = { point: "takeover", how: "stop" } as const;
    const slow = writer({ tools: ["slow"], lockTimeoutMs: 200, pause: takeover });
    expect(await slow.next()).toEqual({ event: "paused" });
    const quick = writer({ tools: ["quick"], pause: { point: "commit", how: "hang" } });
    expect(await quick.next()).toEqual({ event: "paused" });
    const owner = lockOwner();
    expect(owner?.pid).toBe(quick.pid);

    slow.kill("SIGCONT");
    expect(await slow.next()).toMatchObject({ event: "refused", ...busy(quick.pid) });
    expect(lockOwner()).toEqual(owner);
    quick.resume();
    expect(await quick.next()).toMatchObject({ event: "saved", tool: "quick" });
    await store().save(grant("last"));
    expect(await tools()).toEqual(["quick", "last"]);
  });
});

describe("two spellings of one project", () => {
  it("share a lock between processes", async () => {
    const { writer, ledgerPath, tools } = project();
    const folder = dirname(dirname(dirname(dirname(ledgerPath))));
    const other = startWriter({
      projectDir: `${folder}/./project/`,
      rootDir: join(folder, "root"),
      tools: ["c", "d"],
    });
    const one = writer({ tools: ["a", "b"] });
    await Promise.all([one.ended, other.ended]);
    expect((await tools()).sort()).toEqual(["a", "b", "c", "d"]);
  });
});

describe("a lock of which nobody here can say whether its owner lives", () => {
  const nonce = "0".repeat(32);
  const self = nodeProcesses.self();

  it.each([
    [
      "another computer or an earlier boot",
      { place: self.place?.replace(/[0-9a-f-]{36}/, "another-boot") ?? "other" },
    ],
    ["another container", { place: `${self.place}0` }],
    ["an unknown place", { place: null }],
  ])(
    "is respected until lockTimeoutMs, and the error says whose it is and what to do: %s",
    async (_name, { place }) => {
      const { store, ledgerPath, tools } = project();
      await store().save(grant("before"));
      const text = JSON.stringify({ pid: 2 ** 22, start_time: "1", place, host: "elsewhere", nonce });
      writeFileSync(`${ledgerPath}.lock`, text);
      const failure = expect(store(40).save(grant("late"))).rejects;
      await failure.toMatchObject({
        code: "ledger_busy",
        message: `the grant ledger ${ledgerPath} is locked by process 4194304 of another computer, container or boot (elsewhere); gave up after 40 ms. If that process has ended, remove ${ledgerPath}.lock.`,
      });
      expect(readFileSync(`${ledgerPath}.lock`, "utf8")).toBe(text);
      expect(await tools()).toEqual(["before"]);
    },
  );

  it.each([
    "",
    "{",
    "[]",
    JSON.stringify({ pid: 1, start_time: "1", place: "x", host: "h", nonce: "../../x" }),
  ])("is respected too when it does not say its owner: %j", async (text) => {
    const { store, ledgerPath } = project();
    mkdirSync(dirname(ledgerPath), { recursive: true });
    writeFileSync(`${ledgerPath}.lock`, text);
    await expect(store(0).save(grant("late"))).rejects.toMatchObject({
      code: "ledger_busy",
      message: expect.stringContaining(`has ended, remove ${ledgerPath}.lock.`),
    });
  });

  it("keeps nobody from reading", async () => {
    const { store, ledgerPath } = project();
    await store().save(grant("before"));
    writeFileSync(`${ledgerPath}.lock`, "");
    expect(await store(0).load()).toHaveLength(1);
    expect(await store(0).revoke("no-such-id")).toBeNull();
  });
});
