import type { PermissionDecision, RuleEffect } from "@x/permission-core";
import type { CompiledRule } from "./compiled-rule.js";
import type { Matches } from "./matches.js";

/** What was decided of one text of a call: a part of a command, a file that it writes, a target. */
export interface Judgement {
  readonly text: string;
  readonly effect: RuleEffect;
  readonly rule: CompiledRule | null;
  readonly reason: string;
  /** it is asked because an operator's rule is about it, or may be */
  readonly demanded: boolean;
  /** what decided where no rule did */
  readonly basis: NonNullable<PermissionDecision["basis"]> | null;
  /** whether only the substitution floor asks, and then whether a configured allow would answer it */
  readonly floor: "none" | "plain" | "configured";
  /** what matched the text; null: the rules were not looked at */
  readonly matches: Matches | null;
}

/** By what matched: the rule that wins, or an ask where none does. */
export function judgeMatches(text: string, matches: Matches): Judgement {
  const rule = matches.winner();
  if (rule === null) return judgeAsk(text, { basis: "no-match", reason: "no rule allows it", matches });
  return {
    text,
    effect: rule.effect,
    rule,
    reason: rule.reason,
    demanded: rule.effect === "ask" && rule.isDemand,
    basis: null,
    floor: "none",
    matches,
  };
}

/** Denied, or asked because an operator said so: no allow changes it. */
export function isDemand({ effect, demanded }: Judgement): boolean {
  return effect === "deny" || demanded;
}

/** An ask that is no rule's. */
export function judgeAsk(
  text: string,
  details: Pick<Judgement, "basis" | "reason" | "matches"> & Partial<Pick<Judgement, "demanded" | "floor">>,
): Judgement {
  return { text, effect: "ask", rule: null, demanded: false, floor: "none", ...details };
}

/** A denial that the mode gives before any rule is looked at. */
export function judgePlanMode(text: string, reason: string): Judgement {
  return {
    text,
    effect: "deny",
    rule: null,
    reason,
    demanded: false,
    basis: "plan-mode",
    floor: "none",
    matches: null,
  };
}
