import type { PartDecision, PermissionDecision, RuleEffect } from "@x/permission-core";
import { type Judgement, judgeAsk } from "./judgement.js";

const SEVERITY: { readonly [Effect in RuleEffect]: number } = { allow: 0, ask: 1, deny: 2 };

/**
 * The decision of a call from those of its parts: the worst effect, whose first holder supplies the reason. Nothing judged
 * is nothing allowed: it asks.
 */
export function fold(judgements: readonly Judgement[]): PermissionDecision {
  const worst = decisive(judgements);
  const asks = worst.effect === "ask" ? judgements.filter(({ effect }) => effect === "ask") : NONE;
  const configuredAsk = asks.some(({ demanded }) => demanded);
  const decision: PermissionDecision = {
    effect: worst.effect,
    reason: worst.reason,
    rule: worst.rule?.rule ?? null,
    configuredAsk,
    flooredConfiguredAllow:
      !configuredAsk && asks.length > 0 && asks.every(({ floor }) => floor === "configured"),
    parts: judgements.map(partOf),
  };
  if (worst.basis !== null) decision.basis = worst.basis;
  return decision;
}

const NONE: readonly Judgement[] = [];

function partOf({ text, effect, rule, reason }: Judgement): PartDecision {
  return { text, effect, rule: rule?.rule ?? null, reason };
}

/** The first of those with the worst effect. */
export function decisive(judgements: readonly Judgement[]): Judgement {
  let worst: Judgement | null = null;
  for (const judgement of judgements)
    if (worst === null || SEVERITY[judgement.effect] > SEVERITY[worst.effect]) worst = judgement;
  return worst ?? NOTHING;
}

const NOTHING: Judgement = judgeAsk("", {
  basis: "opaque",
  reason: "the call shows nothing to judge",
  matches: null,
});
