import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PermissionCheck } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, RunCancelledError } from "../../src/index.js";
import {
  joinLedger,
  type LedgerReading,
  parseLedgerLine,
  readLedger,
  verifyLedger,
} from "../../src/ledger/index.js";
import { callOf, engineFor } from "../support/engine-harness.js";
import { ask, gate, post, pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

async function readingsOf(files: string | readonly string[]): Promise<LedgerReading[]> {
  const readings: LedgerReading[] = [];
  for await (const reading of readLedger(files)) readings.push(reading);
  return readings;
}

describe("readLedger", () => {
  it("gives back every line that was written, of every type, with its place", async () => {
    const { open, file } = ledgerRig({ includeInput: true, chain: true });
    const ledger = open();
    const input = JSON.parse('{"__proto__":{"a":1},"b":[null]}');
    ledger.onToolPre(pre, { input });
    ledger.onAskParked({ ask, ts: 12 });
    ledger.onGateDecision(gate);
    ledger.onToolPost(post);
    await ledger.close();
    const readings = await readingsOf(file);
    expect(readings.map(({ kind, line }) => [kind, line])).toEqual(
      [1, 2, 3, 4, 5].map((line) => ["line", line]),
    );
    const values = readings.flatMap((reading) => (reading.kind === "line" ? [reading.value] : []));
    expect(values.map(({ type }) => type)).toEqual([
      "ledger.start",
      "tool.call",
      "ask.parked",
      "gate.decision",
      "tool.result",
    ]);
    expect(values[1]).toMatchObject({ v: 1, ...pre });
    expect(JSON.stringify((values[1] as { input?: unknown }).input)).toBe(JSON.stringify(input));
    expect(values[3]).toEqual({ v: 1, type: "gate.decision", ...gate });
  });

  it("names what is no line by file and line, and goes on", async () => {
    const { folder } = ledgerRig();
    const file = join(folder, "other.jsonl");
    const good = JSON.stringify({ v: 1, type: "grant.cleared", count: 1, ts: 1 });
    writeFileSync(file, [good, "nonsense", '{"v":2}', '{"v":1,"type":"x"}', good, '{"v":1,"ty'].join("\n"));
    const readings = await readingsOf(file);
    expect(readings).toMatchObject([
      { kind: "line", file, line: 1, value: { count: 1 } },
      { kind: "malformed", file, line: 2, message: "not a line of JSON" },
      { kind: "malformed", file, line: 3, message: "its version is 2, not 1" },
      { kind: "malformed", file, line: 4, message: 'unknown type "x"' },
      { kind: "line", file, line: 5 },
      { kind: "torn", file, line: 6, isNamed: false },
    ]);
  });

  it("rejects with the name of a file that cannot be read", async () => {
    const { folder, file } = ledgerRig();
    await expect(readingsOf(file)).rejects.toMatchObject({
      code: "storage",
      message: expect.stringContaining(file),
    });
    mkdirSync(join(folder, "folder"));
    await expect(verifyLedger(join(folder, "folder"))).rejects.toMatchObject({ code: "storage" });
  });
});

describe("parseLedgerLine", () => {
  it.each([
    ["nothing", "", "bad_json", /not a line of JSON/],
    ["a list", "[]", "bad_record", /version is missing/],
    ["null", "null", "bad_record", /not an object/],
    ["a type that is a method's name", '{"v":1,"type":"toString"}', "bad_record", /unknown type "toString"/],
    [
      "a field of the wrong type",
      JSON.stringify({ v: 1, type: "tool.call", ...pre, ts: -1 }),
      "bad_record",
      /^ts: /,
    ],
    [
      "a hash that is none",
      '{"v":1,"type":"ledger.start","previous":{"file":"a","hash":"b"},"ts":1}',
      "bad_record",
      /^previous\.hash: /,
    ],
  ])("throws for %s", (_, text, code, message) => {
    expect(() => parseLedgerLine(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

describe("joinLedger", () => {
  it("gives each call of an engine with its question, decision and result", async () => {
    const { open, file } = ledgerRig({ chain: true });
    const ledger = open();
    const { engine } = engineFor({
      observers: [ledger],
      layers: [
        PermissionMiddleware.fromContext().withCheck(({ input }) =>
          (input as { ask?: boolean }).ask ? PermissionCheck.ask("May it?") : PermissionCheck.allow(),
        ),
      ],
      askResolver: { interactive: false, resolve: () => ({ resolution: "Deny", decided_by: "ann" }) },
    });
    // A provider that numbers the calls of every turn anew.
    await engine.dispatch(callOf({ callId: "1", turn: 1 }));
    await engine.dispatch(callOf({ callId: "1", turn: 2, input: { ask: true } }));
    const aborted = engine.dispatch(callOf({ callId: "2", turn: 2, signal: AbortSignal.abort() }));
    await expect(aborted).rejects.toBeInstanceOf(RunCancelledError);
    await engine.close();
    await ledger.close();
    const calls = await joinLedger(file);
    expect(calls).toMatchObject([
      {
        call_id: "1",
        turn: 1,
        asks: [],
        decision: { decision: { verdict: "allow" } },
        result: { outcome: "completed" },
      },
      {
        call_id: "1",
        turn: 2,
        asks: [{ prompt: "May it?" }],
        decision: { decided_by: "ann", decision: { verdict: "ask_denied" } },
        result: { outcome: "denied" },
      },
      { call_id: "2", decision: null, result: { outcome: "cancelled" } },
    ]);
    expect(calls[1]?.asks[0]?.ask_id).toBe(calls[1]?.decision?.ask_id);
  });

  it("shows calls that did not end, and keeps a second one of the same name apart", async () => {
    const call = (digest: string) => ({ v: 1, type: "tool.call", ...pre, args_digest: digest }) as const;
    const decided = { v: 1, type: "gate.decision", ...gate } as const;
    const ended = { v: 1, type: "tool.result", ...post } as const;
    // The process ended in the first, and the run was gone on with.
    const again = await joinLedger([call("one"), call(pre.args_digest), decided, ended, call("three")]);
    expect(
      again.map(({ call, decision, result }) => [call?.args_digest, decision !== null, result !== null]),
    ).toEqual([
      ["one", false, false],
      [pre.args_digest, true, true],
      ["three", false, false],
    ]);
    const elsewhere = await joinLedger([
      call("x"),
      { ...ended, session_id: "other" },
      { ...ended, run_id: "other" },
    ]);
    expect(elsewhere.map(({ call, result }) => [call !== null, result !== null])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  it("gives nothing for a ledger of other lines", async () => {
    expect(await joinLedger([{ v: 1, type: "grant.cleared", count: 1, ts: 1 }])).toEqual([]);
    expect(await joinLedger([])).toEqual([]);
  });
});
