import type { Rule } from "@x/permission-core";

/** What the file says of a rule beside its line. */
export interface RulePlace {
  /** begins with 1, in UTF-16 units */
  readonly column: number;
  /** tools that files of its form may name, whether the host has them or not */
  readonly knownTools: ReadonlySet<string>;
}

const PLACES = new WeakMap<NonNullable<Rule["origin"]>, RulePlace>();

/** Keeps the place of all rules of one origin, which is known by identity and stays the same in copies of rules. */
export function notePlace(origin: NonNullable<Rule["origin"]>, place: RulePlace): void {
  PLACES.set(origin, place);
}

/** null: nobody has noted it. */
export function placeOf({ origin }: Rule): RulePlace | null {
  return origin === undefined ? null : (PLACES.get(origin) ?? null);
}
