import type { GateDecision, GateVerdict } from "./gate-decision.js";

const TIERS: Readonly<Record<GateVerdict, 0 | 1 | 2>> = {
  allow: 0,
  ask: 0,
  ask_allowed: 0,
  allow_modified: 1,
  deny: 2,
  ask_denied: 2,
  ask_unresolved: 2,
  ask_expired: 2,
  cancelled: 2,
};

/** 2: the call was refused. 1: it was rewritten. 0: it went through as it was. */
export function precedenceTier(verdict: GateVerdict): 0 | 1 | 2 {
  return TIERS[verdict];
}

/** Somebody's consent, now (`ask_allowed`) or remembered (a grant's `allow`), beside a mere pass-through. */
function isConsent(decision: GateDecision): boolean {
  return (
    decision.verdict === "ask_allowed" || (decision.verdict === "allow" && decision.rule_source === "grant")
  );
}

/**
 * Which of two records of one dispatch survives: the higher tier; within tier 0 a consent before a pass-through; on a
 * tie the inner layer's. Associative and idempotent, so a whole trail folds from the outermost inwards.
 */
export function decisiveRecord(inner: GateDecision, outer: GateDecision): GateDecision {
  const innerTier = TIERS[inner.verdict];
  const outerTier = TIERS[outer.verdict];
  if (innerTier !== outerTier) return innerTier > outerTier ? inner : outer;
  if (innerTier === 0 && isConsent(outer) && !isConsent(inner)) return outer;
  return inner;
}
