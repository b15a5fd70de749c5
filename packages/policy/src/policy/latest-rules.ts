import type { Rule, RuleSet } from "@x/permission-core";
import { type ReadRuleSet, readRuleSet } from "./read-rule-set.js";

/** Shown where the source of the rules fails or gives something else. */
const FAILED = "the permission rules could not be had";

/** What a source gave last that could be trusted, for whichever reader of the same workspace. */
export interface Trusted {
  rules: readonly Rule[];
}

/**
 * What a source gave last for one reader of a workspace. Of questions that are answered out of order, the one that was asked last counts.
 * While the source fails or is closed, what was denied before stays denied, through this reader or another one of the workspace.
 */
export class LatestRules {
  #asked = 0;
  #answered = 0;
  #set: RuleSet = { rules: Object.freeze([]), problems: [], failClosed: FAILED };
  /** the list that the latest set was made of */
  #given: readonly Rule[] | null = null;
  readonly #trusted: Trusted;

  constructor(trusted: Trusted = { rules: [] }) {
    this.#trusted = trusted;
  }

  /** The number of a question that is about to be asked. */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  /** What holds now that question `number` has been answered; `malformed` is told where that is no rule set. */
  answer(number: number, given: unknown, malformed: () => void): RuleSet {
    const read = readRuleSet(given);
    if (read.isMalformed) malformed();
    if (number < this.#answered) return this.#set;
    this.#answered = number;
    this.#set = read.isMalformed ? this.#closed(denies(read.rules), this.#set.rules) : this.#taken(read);
    this.#given = read.isMalformed ? null : read.rules;
    return this.#set;
  }

  /** What holds where question `number` has failed. */
  fail(number: number): RuleSet {
    if (number < this.#answered) return this.#set;
    this.#answered = number;
    this.#set = this.#closed([], this.#set.rules);
    return this.#set;
  }

  #taken({ rules, problems, failClosed }: ReadRuleSet): RuleSet {
    if (failClosed === null) {
      this.#trusted.rules = rules;
      return { rules, problems, failClosed };
    }
    const known = this.#given === rules ? this.#set.rules : united(rules, denies(this.#set.rules));
    return { rules: united(known, denies(this.#trusted.rules)), problems, failClosed };
  }

  #closed(rules: readonly Rule[], before: readonly Rule[]): RuleSet {
    const known = united(united(before, rules), denies(this.#trusted.rules));
    return { rules: known, problems: [], failClosed: FAILED };
  }
}

function denies(rules: readonly Rule[]): Rule[] {
  return rules.filter(({ effect }) => effect === "deny");
}

/** The same list where nothing is new. */
function united(rules: readonly Rule[], more: readonly Rule[]): readonly Rule[] {
  const known = new Set(rules.map(textOf));
  const added = more.filter((rule) => !known.has(textOf(rule)));
  return added.length === 0 ? rules : Object.freeze([...rules, ...added]);
}

/** What a rule decides. */
function textOf({ scope, tool, pattern, effect, exact, audience }: Rule): string {
  return JSON.stringify([scope, tool, pattern, effect, exact === true, audience ?? "all"]);
}
