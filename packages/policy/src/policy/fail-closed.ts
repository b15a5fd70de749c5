import type { PermissionDecision, RuleSet } from "@x/permission-core";

/**
 * Fails closed: where a rule set says that it cannot be trusted, whatever is not denied asks for that reason, and nothing
 * wider than this very call is answered by a grant, since the rule that demands it may be the one that is missing.
 */
export function failClosed(
  decision: PermissionDecision,
  { failClosed: reason }: RuleSet,
): PermissionDecision {
  if (reason === null || decision.effect === "deny") return decision;
  return {
    effect: "ask",
    reason,
    rule: decision.effect === "ask" ? decision.rule : null,
    configuredAsk: true,
    flooredConfiguredAllow: false,
    parts: decision.parts.map((part) =>
      part.effect === "allow" ? { ...part, effect: "ask", reason } : part,
    ),
    basis: decision.effect === "ask" ? (decision.basis ?? "no-match") : "no-match",
  };
}
