import type { GateDecision, GateEvent, Grant, PendingAsk } from "@x/permission-core";
import { type AskParkedLine, type GateDecisionLine, type GrantLine, LEDGER_VERSION } from "./ledger-line.js";
import type { Redaction } from "./redaction.js";
import { wholeMs, wholeMsOrNull } from "./whole-ms.js";

/** The line of a decision, its texts redacted. */
export function decisionLine(event: GateEvent, redaction: Redaction): GateDecisionLine {
  return {
    v: LEDGER_VERSION,
    type: "gate.decision",
    ...event,
    decided_by: redaction.text(event.decided_by, "decided_by"),
    decision: recordedDecision(event.decision, redaction),
    trail: event.trail.map((decision) => recordedDecision(decision, redaction)),
  };
}

function recordedDecision(decision: GateDecision, redaction: Redaction): GateDecision {
  return {
    ...decision,
    rule_id: redaction.text(decision.rule_id, "rule_id"),
    matched_pattern: redaction.text(decision.matched_pattern, "matched_pattern"),
    reason: redaction.text(decision.reason, "reason"),
    ts: wholeMs(decision.ts),
  };
}

/** The line of a question, without its details. */
export function askLine(ask: PendingAsk, ts: number, redaction: Redaction): AskParkedLine {
  return {
    v: LEDGER_VERSION,
    type: "ask.parked",
    ask_id: ask.id,
    session_id: ask.session_id,
    run_id: ask.run_id,
    agent: ask.agent ?? null,
    call_id: ask.call_id,
    turn: ask.turn,
    tool: ask.tool,
    args_digest: ask.args_digest,
    prompt: redaction.text(ask.prompt, "prompt"),
    expires_at_ms: wholeMsOrNull(ask.expires_at_ms),
    ts: wholeMs(ts),
  };
}

/** The line of what happened to a grant. Its note is left out, and its arguments unless `includeInput`. */
export function grantLine(
  type: GrantLine["type"],
  grant: Grant,
  ts: number,
  { redaction, includeInput }: { redaction: Redaction; includeInput: boolean },
): GrantLine {
  const { scope } = grant;
  return {
    v: LEDGER_VERSION,
    type,
    grant_id: grant.id,
    tool: grant.tool,
    verdict: grant.verdict,
    scope: scope === "this_tool" ? "this_tool" : "this_call",
    pinned_descriptor: grant.pinned_descriptor,
    pinned_fingerprint: grant.pinned_fingerprint ?? null,
    created_at_ms: wholeMs(grant.created_at_ms),
    expires_at_ms: wholeMsOrNull(grant.expires_at_ms),
    granted_by: redaction.text(grant.granted_by ?? null, "granted_by"),
    ...(includeInput && scope !== "this_tool" ? redaction.recorded("args", scope.this_call.args) : undefined),
    ts,
  };
}
