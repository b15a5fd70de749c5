import type { Rule, RuleResolver, RuleSet } from "@x/permission-core";

/** Rules, what a file or resolver gave, or a resolver that is asked at every evaluation. */
export type RuleSource = RuleSet | RuleResolver | readonly Rule[];

/** A resolver as it is; a rule set or list as one that always gives it. */
export function toResolver(source: RuleSource): RuleResolver {
  if ("resolve" in source) return source;
  const set: RuleSet = "rules" in source ? source : { rules: source, problems: [], failClosed: null };
  return { resolve: () => set };
}
