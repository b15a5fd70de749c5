import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonlLedger, verifyLedger } from "../../src/ledger/index.js";
import { callOf, engineFor } from "../support/engine-harness.js";
import { ask, decision, gate, post, pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

/** A clock that tells whatever it is told to. */
const clockOf = (now: () => number) => ({ now, setTimer: () => ({ cancel() {} }) });

describe("what a ledger writes", () => {
  it("verifies, whatever times its clock and the engine's tell", async () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-1, 0.5, Number.NaN));
    await fc.assert(
      fc.asyncProperty(number, fc.boolean(), async (ts, chain) => {
        const { open, file, lines } = ledgerRig({ chain, clock: clockOf(() => ts) });
        const ledger = open();
        await ledger.onToolPre({ ...pre, ts });
        await ledger.onAskParked({ ask: { ...ask, expires_at_ms: ts }, ts });
        await ledger.onGateDecision({ ...gate, decision: { ...decision, ts }, trail: [{ ...decision, ts }] });
        await ledger.onToolPost({ ...post, ts });
        await ledger.close();
        expect(await verifyLedger(file)).toMatchObject({ ok: true });
        expect(await lines()).toHaveLength(chain ? 5 : 4);
      }),
      { numRuns: 30 },
    );
  });

  it("has times without their fractions, and 0 for what is no time", async () => {
    const { open, lines } = ledgerRig();
    const ledger = open();
    await ledger.onToolPre({ ...pre, ts: 10.75 });
    await ledger.onToolPre({ ...pre, ts: -3 });
    await ledger.onAskParked({ ask: { ...ask, expires_at_ms: Number.POSITIVE_INFINITY }, ts: 12.5 });
    await ledger.close();
    expect(await lines()).toMatchObject([{ ts: 10 }, { ts: 0 }, { expires_at_ms: null, ts: 12 }]);
  });

  it.each<[string, object]>([
    ["a turn that is no whole number", { turn: 0.5 }],
    ["a turn below 0", { turn: -1 }],
    ["a call id that is no text", { call_id: 1 }],
    ["no agent at all", { agent: undefined }],
  ])("is no line that a reader would refuse; it is counted as lost: %s", async (_, fields) => {
    const { open, file, lines, messages } = ledgerRig({ auditRequired: true });
    const ledger = open();
    const told = ledger.onToolPre({ ...pre, ...fields } as typeof pre);
    await expect(told).rejects.toMatchObject({ code: "storage", cause: { code: "bad_record" } });
    await ledger.onToolPost(post);
    await ledger.close();
    expect(await verifyLedger(file)).toMatchObject({ ok: true });
    expect(await lines()).toMatchObject([{ type: "ledger.lost", lines: 1 }, { type: "tool.result" }]);
    expect(messages()[0]).toMatch(/^error: .*cannot hold a line of type tool.call/);
  });

  it.each([0.5, -1, Number.NaN])("verifies where an engine is given the turn %d", async (turn) => {
    const { file } = ledgerRig();
    const ledger = new JsonlLedger({ file, onReport: () => {}, clock: clockOf(() => 1.5) });
    const { engine } = engineFor({ observers: [ledger] });
    await engine.dispatch(callOf({ turn }));
    await engine.dispatch(callOf());
    await engine.close();
    await ledger.close();
    expect(await verifyLedger(file)).toMatchObject({ ok: true });
  });
});
