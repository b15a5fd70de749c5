import type { PermissionDecision, Rule, RuleEffect } from "@x/permission-core";
import type { CompiledRule } from "./compiled-rule.js";
import { Evaluation } from "./evaluation.js";
import type { EvaluationRequest } from "./evaluation-request.js";
import { decisive, fold } from "./fold.js";
import { judgeCall } from "./judge-call.js";
import type { Judgement } from "./judgement.js";

/** A rule that matched a part of the call. */
export interface MatchedRule {
  rule: Rule;
  /** where it stands: `rules[3]`, `learned[0]`, or `mode[0]` for what a mode adds */
  place: string;
  /** whether it decided its part */
  decided: boolean;
}

/** A part of the call that was judged by itself: what it came to, and why. */
export interface ExplainedPart {
  text: string;
  effect: RuleEffect;
  reason: string;
  /** every rule that matched, in the order of the lists; empty where none did or none was looked at */
  matched: MatchedRule[];
  /** why the deciding rule was stronger than the others, or what decided without one */
  why: string;
}

export interface RuleExplanation {
  /** the same that `evaluateRules` gives */
  decision: PermissionDecision;
  /** every part that was judged, in the call's order */
  parts: ExplainedPart[];
  /** which part decided the call, and why */
  why: string;
}

/** What `evaluateRules` decides of the same request, with every rule that matched and why the winner won. */
export function explainRules(request: EvaluationRequest): RuleExplanation {
  const judgements = judgeCall(new Evaluation(request, { keepsMatches: true }));
  return {
    decision: fold(judgements),
    parts: judgements.map(explainPart),
    why: explainFold(judgements),
  };
}

function explainPart(judgement: Judgement): ExplainedPart {
  const { text, effect, reason } = judgement;
  const all = judgement.matches?.all() ?? [];
  return {
    text,
    effect,
    reason,
    matched: all.map((each) => ({
      rule: each.rule,
      place: `${each.list}[${each.index}]`,
      decided: each === judgement.rule,
    })),
    why: whyOf(judgement, all),
  };
}

function whyOf({ rule, basis }: Judgement, all: readonly CompiledRule[]): string {
  if (rule !== null) return whyRule(rule, all);
  switch (basis) {
    case "plan-mode":
      return "Plan mode denies before any rule is looked at.";
    case "substitution-floor":
      return "An allow covers it, but a substitution or group is not allowed by rules unless all of it only reads.";
    case "opaque":
      return "No allow covers what cannot be read, and no deny or ask of an operator matches it.";
    default:
      return "No rule matches it, and what no rule speaks of asks.";
  }
}

function whyRule(rule: CompiledRule, all: readonly CompiledRule[]): string {
  const others = all.filter((each) => each !== rule);
  if (others.length === 0) return "It is the only rule that matches.";
  if (rule.effect === "deny") return `A deny at any scope wins; ${amongEquals(rule, others)}.`;
  if (rule.effect === "ask" && !rule.isBuiltin)
    return `Nothing denies, and an operator's ask wins over every allow; ${amongEquals(rule, others)}.`;
  if (rule.effect === "allow" && !rule.isBuiltin)
    return `Nothing denies and no operator asks, and an allow lifts what is built in; ${amongEquals(rule, others)}.`;
  return `Only built-in rules match, and of these an ask wins over an allow; ${amongEquals(rule, others)}.`;
}

function amongEquals(rule: CompiledRule, others: readonly CompiledRule[]): string {
  const equals = others.filter(
    ({ effect, isBuiltin }) => effect === rule.effect && isBuiltin === rule.isBuiltin,
  );
  if (equals.length === 0) return "no other of its kind matches";
  const isStrongest = equals.every(({ rank }) => rank > rule.rank);
  return isStrongest
    ? "its scope is the strongest of its kind"
    : "it is the first of the strongest scope of its kind";
}

function explainFold(judgements: readonly Judgement[]): string {
  const worst = decisive(judgements);
  const quoted = JSON.stringify(worst.text);
  if (judgements.length < 2) return `${quoted} is all there is to judge: ${worst.reason}.`;
  const words = {
    allow: "Every part is allowed, the first being",
    ask: "The first part that asks is",
    deny: "The first part that is denied is",
  };
  return `${words[worst.effect]} ${quoted}: ${worst.reason}.`;
}
