import { namedOptions, type Rule, type RuleProblem } from "@x/permission-core";

/** What a source gave, as far as it can be read. */
export interface ReadRuleSet {
  /** copies that nobody changes; one and the same list as long as the source's says the same */
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
  readonly failClosed: string | null;
  /** not everything is a rule, or it is no rule set: `rules` holds the rest */
  readonly isMalformed: boolean;
}

const NOTHING: ReadRuleSet = { rules: Object.freeze([]), problems: [], failClosed: null, isMalformed: true };

/** Reads what a source gave, whatever that is. Never throws. */
export function readRuleSet(given: unknown): ReadRuleSet {
  try {
    if (typeof given !== "object" || given === null) return NOTHING;
    const { rules, problems, failClosed }: { rules?: unknown; problems?: unknown; failClosed?: unknown } =
      given;
    if (!Array.isArray(rules)) return NOTHING;
    const copy = copyOf(rules);
    const isReason = failClosed === null || typeof failClosed === "string";
    return {
      rules: copy,
      problems: Array.isArray(problems) ? problems : [],
      failClosed: isReason ? failClosed : null,
      isMalformed: !isReason || copy.length !== rules.length,
    };
  } catch {
    return NOTHING;
  }
}

const COPIES = new WeakMap<readonly unknown[], readonly Rule[]>();

/** A list that is not frozen may have been changed in place, and so may its rules. */
function copyOf(given: readonly unknown[]): readonly Rule[] {
  const known = COPIES.get(given);
  if (known !== undefined && (Object.isFrozen(given) || isSameList(known, given))) return known;
  const copy = Object.freeze(
    Array.from(given)
      .filter((rule) => typeof rule === "object" && rule !== null)
      .map((rule) => Object.freeze(namedOptions(rule as Partial<Rule>, FIELDS)))
      .filter(isRule),
  );
  COPIES.set(given, copy);
  return copy;
}

/** Everything of a rule that decides or is shown. */
const FIELDS = {
  scope: true,
  tool: true,
  pattern: true,
  effect: true,
  exact: true,
  audience: true,
  id: true,
  reason: true,
  origin: true,
} as const satisfies Record<keyof Rule, true>;
const FIELD_NAMES = Object.keys(FIELDS) as (keyof Rule)[];

function isSameList(copy: readonly Rule[], given: readonly unknown[]): boolean {
  return (
    copy.length === given.length &&
    copy.every((rule, index) => {
      const other = given[index];
      return isRule(other) && FIELD_NAMES.every((field) => rule[field] === other[field]);
    })
  );
}

const EFFECTS: readonly unknown[] = ["allow", "ask", "deny"];
const AUDIENCES: readonly unknown[] = [undefined, "all", "main", "subagent"];

function isRule(value: unknown): value is Rule {
  if (typeof value !== "object" || value === null) return false;
  const {
    scope,
    tool,
    pattern,
    effect,
    exact,
    audience,
    origin,
  }: { readonly [Key in keyof Rule]?: unknown } = value;
  return (
    [scope, tool, pattern].every((text) => typeof text === "string") &&
    EFFECTS.includes(effect) &&
    AUDIENCES.includes(audience) &&
    (exact === undefined || typeof exact === "boolean") &&
    (origin === undefined || (typeof origin === "object" && origin !== null))
  );
}
