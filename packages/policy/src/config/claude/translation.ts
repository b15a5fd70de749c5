import type { Rule } from "@x/permission-core";

/** What a pattern of Claude settings comes to. */
export interface Translation {
  /** empty: nothing here says the same */
  readonly patterns: readonly Pick<Rule, "pattern" | "exact">[];
  /** how it differs from what was written; null: it does not */
  readonly difference: string | null;
}

export function exactly(...patterns: readonly string[]): Translation {
  return { patterns: patterns.map((pattern) => ({ pattern })), difference: null };
}

export function wider(difference: string, ...patterns: readonly string[]): Translation {
  return { ...exactly(...patterns), difference };
}

export function untranslated(difference: string): Translation {
  return { patterns: [], difference };
}
