import type { Rule, RuleResolver, RuleSet } from "@x/permission-core";

/** Rules, what a file or resolver gave, or a resolver that is asked at every evaluation. */
export type RuleSource = RuleSet | RuleResolver | readonly Rule[];

/** A resolver as it is; a rule set or list, or what a caller without types gives in place of one, as one that always gives it. */
export function toResolver(source: RuleSource): RuleResolver {
  if (isList(source)) return { resolve: () => ({ rules: source, problems: [], failClosed: null }) };
  if (typeof source === "object" && source !== null && "resolve" in source) return source;
  return { resolve: () => source };
}

function isList(source: RuleSource): source is readonly Rule[] {
  return Array.isArray(source);
}
