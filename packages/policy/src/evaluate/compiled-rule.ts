import type { Audience, Rule, RuleEffect } from "@x/permission-core";
import { compilePattern, compileUrlPattern } from "../patterns/compile-pattern.js";
import type { CompiledPattern } from "../patterns/compiled-pattern.js";
import { LONGEST_PATTERN } from "../patterns/longest-pattern.js";
import { describeRule } from "./rule-text.js";
import { scopeRank } from "./scope-rank.js";

/** Which list of a request a rule stands in, as its place is named in reasons; `mode` is what a mode adds. */
export type RuleListName = "rules" | "learned" | "mode";

const LISTS: readonly RuleListName[] = ["rules", "learned", "mode"];

const BUILTIN_RANK = scopeRank("builtin");

/** A rule of a list, with what is worked out of it once. */
export class CompiledRule {
  readonly rule: Rule;
  readonly effect: RuleEffect;
  /** of its scope; 0 is the strongest */
  readonly rank: number;
  readonly list: RuleListName;
  readonly index: number;
  #description: string | null = null;
  #reason: string | null = null;

  constructor(rule: Rule, list: RuleListName, index: number) {
    this.rule = rule;
    this.effect = rule.effect;
    this.rank = scopeRank(rule.scope);
    this.list = list;
    this.index = index;
  }

  get isBuiltin(): boolean {
    return this.rank >= BUILTIN_RANK;
  }

  /** A deny, or an ask that an operator wrote. */
  get isDemand(): boolean {
    return this.effect === "deny" || (this.effect === "ask" && !this.isBuiltin);
  }

  /** Scope, text and place, for reasons. */
  get description(): string {
    this.#description ??= describeRule(this.rule, `${this.list}[${this.index}]`);
    return this.#description;
  }

  /** Why a text is decided that this rule won. */
  get reason(): string {
    this.#reason ??= reasonOf(this.rule, this.description);
    return this.#reason;
  }

  appliesTo(audience: Audience): boolean {
    const own = this.rule.audience;
    return own === undefined || own === "all" || audience === "all" || own === audience;
  }

  isBefore(other: CompiledRule): boolean {
    if (this.list === other.list) return this.index < other.index;
    return LISTS.indexOf(this.list) < LISTS.indexOf(other.list);
  }

  /** Its pattern is not read: it allows nothing, and denies or asks about everything. */
  get isTooLong(): boolean {
    return !this.isExact && this.rule.pattern.length > LONGEST_PATTERN;
  }

  /** The patterns of which one must match a text. */
  textPatterns(): CompiledPattern[] {
    return this.#spellings().map((pattern) => compilePattern(pattern, { exact: this.isExact }));
  }

  urlPatterns(): CompiledPattern[] {
    const { effect, isExact } = this;
    return this.#spellings().map((pattern) => compileUrlPattern(pattern, { exact: isExact, effect }));
  }

  get isExact(): boolean {
    return this.rule.exact === true;
  }

  /** It is for exactly one text. */
  get isLiteral(): boolean {
    return this.isExact && this.rule.pattern !== "";
  }

  /** A rule that tightens also knows its pattern with accents composed, and a trailing ` *` also without arguments. */
  #spellings(): readonly string[] {
    const { pattern } = this.rule;
    if (this.isTooLong) return this.effect === "allow" ? [] : [""];
    if (this.effect === "allow") return [pattern];
    const composed = pattern.normalize("NFC");
    const spellings = composed === pattern ? [pattern] : [pattern, composed];
    if (this.isExact || !pattern.endsWith(" *")) return spellings;
    return spellings.flatMap((each) => [each, each.slice(0, -2)]);
  }
}

const WORDS: { readonly [Effect in RuleEffect]: string } = {
  allow: "allowed by",
  ask: "asked for by",
  deny: "denied by",
};

function reasonOf({ effect, reason }: Rule, description: string): string {
  const decided = `${WORDS[effect]} ${description}`;
  return reason === undefined || reason === "" ? decided : `${decided}: ${reason}`;
}
