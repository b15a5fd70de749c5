import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { joinLedger, readLedger, verifyLedger } from "../../src/ledger/index.js";
import { callOf, engineFor, toolOf } from "../support/engine-harness.js";
import { post, pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

/** A file system of 64 kB of the test's own; null where the test may not mount one: `full-disk.test.ts` needs none. */
function smallDisk(folder: string): string | null {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync("umount", [disk]));
  return disk;
}

/** Takes all the room there is on a disk; gives what gives it back. */
function fill(disk: string): () => void {
  const filler = join(disk, "filler");
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Number(bavail) * Number(bsize)));
  return () => rmSync(filler);
}

const event = {
  toolName: "t",
  input: null,
  sessionId: pre.session_id,
  runId: pre.run_id,
  turn: pre.turn,
  callId: pre.call_id,
  dryRun: false,
  signal: new AbortController().signal,
};

const allowing = () => [PermissionMiddleware.allowAll()];

describe("a disk that is full", () => {
  it("loses lines, says so, and leaves no half of one; the ledger tells how many once there is room", async () => {
    const { open, folder, messages } = ledgerRig({ chain: true, includeInput: true });
    const disk = smallDisk(folder);
    if (disk === null) return;
    const file = join(disk, "ledger.jsonl");
    const ledger = open({ file });
    await ledger.onToolPre(pre);
    const large = { input: "x".repeat(10_000) };
    const outcomes: string[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const told = ledger.onToolPre({ ...pre, turn }, large);
      outcomes.push(await told.then(() => "written").catch((error) => `${error.code} ${error.cause.code}`));
    }
    const lost = outcomes.filter((outcome) => outcome === "storage ENOSPC").length;
    expect(lost).toBeGreaterThan(1);
    expect(outcomes).toEqual([...Array(8 - lost).fill("written"), ...Array(lost).fill("storage ENOSPC")]);
    expect(await verifyLedger(file)).toMatchObject({ ok: true, torn: [] });
    await ledger.onToolPre({ ...pre, turn: 99 });
    await ledger.close();
    expect(messages()).toEqual([
      expect.stringMatching(/^error: .*could not be written: 1 line\(s\) lost/),
      expect.stringMatching(new RegExp(`^warn: .*written again; ${lost} line\\(s\\)`)),
    ]);
    expect(await verifyLedger(file)).toMatchObject({ ok: true, torn: [] });
    let told = 0;
    for await (const reading of readLedger(file)) {
      if (reading.kind === "line" && reading.value.type === "ledger.lost") told += reading.value.lines;
    }
    expect(told).toBe(lost);
    expect((await joinLedger(file)).map(({ turn }) => turn)).toEqual([1, ...Array(8 - lost).keys(), 99]);
  });

  it("denies calls where an audit is required, and no longer than that", async () => {
    const { open, folder } = ledgerRig();
    const disk = smallDisk(folder);
    if (disk === null) return;
    const file = join(disk, "ledger.jsonl");
    const ledger = open({ file, auditRequired: true });
    const { engine, inputs } = engineFor({ hooks: [ledger], observers: [ledger], layers: allowing() });
    const dispatch = async (callId: string) => (await engine.dispatch(callOf({ callId }))).gate?.verdict;
    expect(await dispatch("before")).toBe("allow");
    const free = fill(disk);
    // What is left of the last block of the file takes a few lines more.
    let denied = 0;
    for (let call = 0; call < 40 && denied < 3; call++) if ((await dispatch(`${call}`)) === "deny") denied++;
    expect(denied).toBe(3);
    const ran = inputs.length;
    free();
    expect(await dispatch("after")).toBe("allow");
    expect(inputs).toHaveLength(ran + 1);
    await engine.close();
    await ledger.close();
    const ranOnRecord = (await joinLedger(file)).filter(({ call, decision, result }) => {
      return call !== null && result?.outcome !== "denied" && decision?.decision.verdict !== "deny";
    });
    expect(ranOnRecord.length).toBeGreaterThanOrEqual(ran + 1);
  });
});

describe("an audit that is required", () => {
  it("denies with the hook's name and a clear reason, and each call is an attempt to write", async () => {
    const { open, file, messages, lines } = ledgerRig({ auditRequired: true });
    const ledger = open();
    const { engine, inputs, gateEvent } = engineFor({
      hooks: [ledger],
      observers: [ledger],
      layers: allowing(),
    });
    mkdirSync(file);
    const refused = await engine.dispatch(callOf());
    expect(refused).toMatchObject({
      errorKind: "permission",
      gate: {
        verdict: "deny",
        rule_id: "audit",
        rule_source: "hook",
        reason: "the audit ledger cannot be written, and no call runs without a record",
      },
    });
    expect(gateEvent().decision.rule_id).toBe("audit");
    expect(inputs).toEqual([]);
    await ledger.flush().catch(() => {});
    rmSync(file, { recursive: true });
    expect((await engine.dispatch(callOf({ callId: "c2" }))).gate?.verdict).toBe("allow");
    await engine.close();
    await ledger.close();
    expect(await lines()).toMatchObject([
      { type: "ledger.lost" },
      { type: "tool.call", call_id: "c2" },
      { type: "gate.decision" },
      { type: "tool.result" },
    ]);
    expect(messages()).toHaveLength(2);
  });

  it("has a call wait until its begin is on record", async () => {
    const { open, textOf } = ledgerRig({ auditRequired: true });
    const ledger = open();
    let atRun = "";
    const { engine } = engineFor({
      hooks: [ledger],
      observers: [ledger],
      layers: allowing(),
      tools: [
        toolOf("deploy", () => {
          atRun = textOf();
        }),
      ],
    });
    await engine.dispatch(callOf());
    expect(atRun).toContain('"type":"tool.call"');
    await ledger.close();
  });

  it("writes a line of its own to find out, in a dry run, which announces no call", async () => {
    const { open, file, lines } = ledgerRig({ auditRequired: true });
    const ledger = open();
    const { engine } = engineFor({ hooks: [ledger], observers: [ledger], layers: allowing() });
    const dryRun = async () => (await engine.evaluate({ toolName: "deploy", input: {} }))?.verdict;
    mkdirSync(file);
    await ledger.onToolPre({ ...pre, turn: 2 }).catch(() => {});
    expect(await dryRun()).toBe("deny");
    rmSync(file, { recursive: true });
    expect(await dryRun()).toBe("allow");
    expect(await lines()).toMatchObject([{ type: "ledger.lost", lines: 1 }]);
    await engine.close();
    await ledger.close();
  });

  it("denies a call that was never announced, and says what to do", async () => {
    const { open } = ledgerRig({ auditRequired: true });
    const ledger = open();
    const { engine, inputs } = engineFor({ hooks: [ledger], layers: allowing() });
    expect((await engine.dispatch(callOf())).gate).toMatchObject({
      verdict: "deny",
      reason: expect.stringContaining("one of the engine's observers"),
    });
    expect(inputs).toEqual([]);
    await engine.close();
    await ledger.close();
  });

  it("denies both of two calls of one id where one begin is lost", async () => {
    const { open } = ledgerRig({ auditRequired: true, maxPendingBytes: 200 });
    const ledger = open();
    const filling = ledger.onToolPre({ ...pre, turn: 9 });
    await expect(ledger.onToolPre(pre)).rejects.toMatchObject({ code: "storage" });
    await filling;
    await ledger.onToolPre(pre);
    expect(await ledger.preToolUse(event)).toMatchObject({ kind: "block" });
    await ledger.onToolPost(post);
    expect(await ledger.preToolUse(event)).toMatchObject({ kind: "block" });
    await ledger.onToolPost(post);
    await ledger.onToolPre(pre);
    expect(await ledger.preToolUse(event)).toBeUndefined();
    await ledger.close();
  });

  it("denies a call whose begin is lost, and not that of the same id in another run", async () => {
    const { open } = ledgerRig({ auditRequired: true, maxPendingBytes: 200 });
    const ledger = open();
    const filling = ledger.onToolPre({ ...pre, turn: 9 });
    await expect(ledger.onToolPre(pre)).rejects.toMatchObject({ code: "storage" });
    await filling;
    await ledger.onToolPre({ ...pre, run_id: "r2" });
    expect(await ledger.preToolUse({ ...event, runId: "r2" })).toBeUndefined();
    expect(await ledger.preToolUse(event)).toMatchObject({ kind: "block" });
    await ledger.close();
  });

  it("denies a call whose begin no line can hold, and counts it as lost", async () => {
    const { open, lines, messages } = ledgerRig({ auditRequired: true });
    const ledger = open();
    const told = ledger.onToolPre({ ...pre, tool: 1n as unknown as string });
    expect(await ledger.preToolUse(event)).toMatchObject({ kind: "block" });
    await expect(told).rejects.toMatchObject({ code: "storage" });
    await ledger.onToolPre({ ...pre, turn: 2 });
    await ledger.close();
    expect(await lines()).toMatchObject([{ type: "ledger.lost", lines: 1 }, { turn: 2 }]);
    expect(messages()[0]).toMatch(/^error: .*cannot hold a line of type tool.call/);
  });

  it("lets a call run whose input is too large to be recorded, with a mark in its place", async () => {
    const { open, lines } = ledgerRig({ auditRequired: true, includeInput: true });
    const ledger = open();
    const { engine, inputs } = engineFor({ hooks: [ledger], observers: [ledger], layers: allowing() });
    await engine.dispatch(callOf({ input: "\u0001".repeat(90_000_000) }));
    expect(inputs).toHaveLength(1);
    await engine.close();
    await ledger.close();
    expect((await lines())[0]).toMatchObject({ type: "tool.call", input: null, input_too_large: true });
  });

  it("denies once the ledger is closed", async () => {
    const { open } = ledgerRig({ auditRequired: true });
    const ledger = open();
    await ledger.close();
    expect(await ledger.preToolUse(event)).toMatchObject({ kind: "block" });
    await expect(ledger.open()).rejects.toMatchObject({ code: "closed" });
  });

  it("denies a call whose begin was dropped, since there was no room to keep it", async () => {
    const { open, lines, messages } = ledgerRig({ auditRequired: true, maxPendingBytes: 200 });
    const ledger = open();
    const told = Array.from({ length: 3 }, (_, turn) => ledger.onToolPre({ ...pre, turn }));
    const said = Array.from({ length: 3 }, (_, turn) => ledger.preToolUse({ ...event, turn }));
    expect(await Promise.all(said)).toEqual([
      undefined,
      expect.objectContaining({ kind: "block" }),
      expect.objectContaining({ kind: "block" }),
    ]);
    expect((await Promise.allSettled(told)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    ledger.onToolPre({ ...pre, turn: 3 });
    expect(await ledger.preToolUse({ ...event, turn: 3 })).toBeUndefined();
    await ledger.close();
    expect(await lines()).toMatchObject([{ type: "ledger.lost", lines: 2 }, { turn: 0 }, { turn: 3 }]);
    expect(messages()).toEqual([
      expect.stringMatching(/^error: .*too slowly/),
      expect.stringMatching(/^warn: .*2 line\(s\) were lost/),
    ]);
  });

  it("is not, unless asked for: the hook then says nothing, and a call does not wait", async () => {
    const { open, file } = ledgerRig();
    const ledger = open();
    expect(ledger.preToolUse(event)).toBeUndefined();
    mkdirSync(file);
    const { engine, inputs } = engineFor({ hooks: [ledger], observers: [ledger], layers: allowing() });
    expect((await engine.dispatch(callOf())).gate?.verdict).toBe("allow");
    expect(inputs).toHaveLength(1);
    await engine.close();
    await ledger.close().catch(() => {});
  });
});
