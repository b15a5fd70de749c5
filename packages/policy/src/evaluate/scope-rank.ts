import type { RuleScope } from "@x/permission-core";

/** All scopes, strongest first. */
const SCOPES: readonly RuleScope[] = ["managed", "cli", "local-project", "shared-project", "user", "builtin"];

/** 0 is the strongest. A scope that is none of ours is weaker than all. */
export function scopeRank(scope: RuleScope): number {
  const rank = SCOPES.indexOf(scope);
  return rank === -1 ? SCOPES.length : rank;
}
