import type { GateDecision } from "@x/permission-core";
import type { DispatchFacts } from "../dispatch-context.js";
import type { ToolDispatchResult } from "../dispatch-result.js";

/** What a dry run says of a call that cannot run at all: the record it left, else a denial that says why. */
export function dryRunRefusal(facts: DispatchFacts, refused: ToolDispatchResult): GateDecision {
  return (
    facts.recorder.deciding ?? {
      tool: facts.toolName,
      args_digest: facts.argsDigest,
      verdict: "deny",
      rule_id: "engine",
      rule_source: "engine",
      matched_pattern: null,
      reason: String(refused.output),
      ts: 0,
    }
  );
}
