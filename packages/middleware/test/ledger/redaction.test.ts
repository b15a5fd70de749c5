import { describe, expect, it } from "vitest";
import { success } from "../../src/dispatch-result.js";
import type { RedactedField } from "../../src/ledger/index.js";
import { ask, decision, gate, post, pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

const secret = "hunter2";
const denied = {
  ...decision,
  verdict: "deny" as const,
  reason: `no: ${secret}`,
  rule_id: `user:t(${secret})`,
  matched_pattern: secret,
};

function observed(redact: (text: string, field: RedactedField) => string) {
  const rig = ledgerRig({ includeInput: true, redact });
  const ledger = rig.open();
  ledger.onToolPre(pre, { input: { [secret]: [secret, 1, null], plain: true } });
  ledger.onAskParked({ ask: { ...ask, prompt: `Run ${secret}?`, details: secret }, ts: 12 });
  ledger.onGateDecision({ ...gate, decision: denied, trail: [denied, decision], decided_by: secret });
  ledger.onToolPost(post, { result: success("c", secret, 5) });
  return { ...rig, ledger };
}

describe("redact", () => {
  it("gets every text that a user, a model or an approver wrote, and what it gives is written", async () => {
    const fields = new Set<string>();
    const { ledger, lines, textOf } = observed((text, field) => {
      fields.add(field);
      return text.replaceAll(secret, "***");
    });
    await ledger.close();
    expect(textOf()).not.toContain(secret);
    expect([...fields].sort()).toEqual([
      "decided_by",
      "input",
      "matched_pattern",
      "output",
      "prompt",
      "reason",
      "rule_id",
    ]);
    expect(await lines()).toMatchObject([
      { input: { "***": ["***", 1, null], plain: true } },
      { prompt: "Run ***?" },
      {
        decided_by: "***",
        decision: { reason: "no: ***", rule_id: "user:t(***)", matched_pattern: "***" },
        trail: [{ reason: "no: ***" }, { reason: null, rule_id: "middleware" }],
      },
      { output: "***" },
    ]);
  });

  it.each<[string, () => string]>([
    [
      "throws",
      () => {
        throw new Error(secret);
      },
    ],
    ["gives no text", () => ({ secret }) as unknown as string],
  ])("leaks nothing where it %s", async (_, redact) => {
    const { ledger, lines, textOf, reports } = observed(redact);
    await ledger.close();
    expect(textOf()).not.toContain(secret);
    expect(JSON.stringify(reports)).not.toContain(secret);
    expect(reports[0]).toEqual({
      level: "error",
      message: "The ledger's redact failed on a text of field input; the text was left out.",
    });
    expect((await lines())[1]).toMatchObject({ prompt: "[redaction failed]" });
  });
});

describe("a question's line", () => {
  it("has no details", async () => {
    const { open, lines, textOf } = ledgerRig();
    const ledger = open();
    await ledger.onAskParked({ ask: { ...ask, details: secret, agent: "sub", expires_at_ms: 99 }, ts: 12 });
    await ledger.close();
    expect(textOf()).not.toContain(secret);
    expect(await lines()).toEqual([
      {
        v: 1,
        type: "ask.parked",
        ask_id: "a",
        session_id: "s",
        run_id: "r",
        agent: "sub",
        call_id: "c",
        turn: 1,
        tool: "t",
        args_digest: "f1ed61cd8ca5e26b",
        prompt: "Run it?",
        expires_at_ms: 99,
        ts: 12,
      },
    ]);
  });
});
