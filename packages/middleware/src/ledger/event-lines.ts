import type { GateDecision, GateEvent, Grant, PendingAsk } from "@x/permission-core";
import { type AskParkedLine, type GateDecisionLine, type GrantLine, LEDGER_VERSION } from "./ledger-line.js";
import type { Redaction } from "./redaction.js";

/** The line of a decision, its texts redacted. */
export function decisionLine(event: GateEvent, redaction: Redaction): GateDecisionLine {
  const line: GateDecisionLine = { v: LEDGER_VERSION, type: "gate.decision", ...event };
  if (!redaction.isActive) return line;
  line.decided_by = redaction.text(event.decided_by, "decided_by");
  line.decision = redactedDecision(event.decision, redaction);
  line.trail = event.trail.map((decision) => redactedDecision(decision, redaction));
  return line;
}

function redactedDecision(decision: GateDecision, redaction: Redaction): GateDecision {
  return {
    ...decision,
    rule_id: redaction.text(decision.rule_id, "rule_id"),
    matched_pattern: redaction.text(decision.matched_pattern, "matched_pattern"),
    reason: redaction.text(decision.reason, "reason"),
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
    expires_at_ms: ask.expires_at_ms ?? null,
    ts,
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
    created_at_ms: grant.created_at_ms,
    expires_at_ms: grant.expires_at_ms ?? null,
    granted_by: redaction.text(grant.granted_by ?? null, "granted_by"),
    ...(includeInput && scope !== "this_tool" ? redaction.recorded("args", scope.this_call.args) : undefined),
    ts,
  };
}
