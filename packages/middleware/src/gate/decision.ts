import type { Clock, GateDecision, GateRuleSource, GateVerdict } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";

/** A record of this call. Its digest is always the one of the model's call. */
export function decisionOf(
  context: DispatchContext,
  verdict: GateVerdict,
  ruleId: string,
  source: GateRuleSource,
  reason: string | null = null,
  matchedPattern: string | null = null,
): GateDecision {
  return {
    tool: context.toolName,
    args_digest: context.argsDigest,
    verdict,
    rule_id: ruleId,
    rule_source: source,
    matched_pattern: matchedPattern,
    reason,
    ts: 0,
  };
}

/** A record as a report tells of it: a copy with the time of the report, unless it was emitted before. */
export function reportedRecord(decision: GateDecision | null, clock: Clock): GateDecision | null {
  return decision === null || decision.ts !== 0 ? decision : { ...decision, ts: clock.now() };
}
