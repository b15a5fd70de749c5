import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { judgeOwner, type Sighting } from "../../src/lock/judge-owner.js";
import { type LockOwner, lockOwnerText, parseLockOwner } from "../../src/lock/lock-owner.js";
import { backOffMs } from "../../src/lock/patience.js";
import { parseProcessStat } from "../../src/lock/process-stat.js";
import { nodeProcesses } from "../../src/lock/process-table.js";

const owner: LockOwner = { pid: 7, startTime: "5", place: "here", host: "h", nonce: "0".repeat(32) };

describe("judgeOwner", () => {
  const none: Sighting = { kind: "none" };
  const running = (startTime: string | null): Sighting => ({ kind: "running", startTime });

  it.each([
    ["dead", "no process has its number", {}, "here", none],
    ["dead", "its number is another process's now", {}, "here", running("6")],
    ["running", "its number and start are seen", {}, "here", running("5")],
    ["running", "its start cannot be seen", {}, "here", running(null)],
    ["running", "its start was never known", { startTime: null }, "here", running("6")],
    ["foreign", "it is of another place", {}, "there", none],
    ["foreign", "its place is not known", { place: null }, "here", none],
    ["foreign", "our place is not known", {}, null, none],
    ["foreign", "neither is", { place: null }, null, none],
  ] as const)("says %s when %s", (state, _why, change, place, sighting) => {
    expect(judgeOwner({ ...owner, ...change }, place, () => sighting)).toBe(state);
  });
});

describe("parseLockOwner", () => {
  it("reads what lockOwnerText wrote", () => {
    for (const written of [owner, { ...owner, startTime: null, place: null }]) {
      expect(parseLockOwner(lockOwnerText(written))).toEqual(written);
    }
  });

  it("gives nothing for any beginning of it, nor for a field of another form", () => {
    const text = lockOwnerText(owner).trimEnd();
    for (let length = 0; length < text.length; length++)
      expect(parseLockOwner(text.slice(0, length))).toBeNull();
    const wrong = { pid: 0, start_time: 5, place: 1, host: null, nonce: "0".repeat(31) };
    for (const [field, value] of Object.entries(wrong)) {
      expect(parseLockOwner(JSON.stringify({ ...JSON.parse(text), [field]: value }))).toBeNull();
    }
    for (const other of ["null", "1", "[]", '"text"']) expect(parseLockOwner(other)).toBeNull();
  });
});

describe("parseProcessStat", () => {
  const line = (state: string, threads: number) =>
    `7 (a) b) ${state} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 ${threads} 18 4711 20`;

  it("finds the start time behind any command", () => {
    expect(parseProcessStat(line("S", 9))).toEqual({ pid: 7, startTime: "4711", ended: false });
  });

  it("tells an ended process, and not one of which a thread is still at work", () => {
    expect(parseProcessStat(line("Z", 1))?.ended).toBe(true);
    expect(parseProcessStat(line("Z", 2))?.ended).toBe(false);
  });

  it("gives nothing for another text", () => {
    for (const text of ["", "7", "7 (a) S 1 2"]) expect(parseProcessStat(text)).toBeNull();
  });
});

describe("nodeProcesses", () => {
  it("sees this process as it describes itself", () => {
    const { pid, startTime, place } = nodeProcesses.self();
    expect(pid).toBe(process.pid);
    expect(nodeProcesses.sight(pid)).toEqual({ kind: "running", startTime });
    expect(place).not.toBeNull();
  });

  it("sees no process that has ended, also before its parent has asked how", async () => {
    // `cat` ends when its input does. Its parent by then is `sleep`, which never asks how a child ended.
    const script = "exec 3<&0; cat <&3 & echo $!; exec sleep 30";
    const parent = spawn("sh", ["-c", script]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [line] = await once(parent.stdout, "data");
    const pid = Number(String(line).trim());
    expect(nodeProcesses.sight(pid).kind).toBe("running");
    const onLinux = process.platform === "linux";
    if (onLinux) await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
    parent.stdin.end();
    await expect.poll(() => nodeProcesses.sight(pid)).toEqual({ kind: "none" });
    if (onLinux) expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(nodeProcesses.sight(parent.pid as number)).toEqual({ kind: "none" });
  });
});

describe("backOffMs", () => {
  it("doubles from 1 to 20 milliseconds, of which chance takes up to half", () => {
    expect([0, 1, 2, 3, 4, 5, 60].map((attempt) => backOffMs(attempt, 1))).toEqual([1, 2, 4, 8, 16, 20, 20]);
    expect(backOffMs(5, 0)).toBe(10);
  });
});
