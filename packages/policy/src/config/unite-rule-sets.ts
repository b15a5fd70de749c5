import type { RuleSet } from "@x/permission-core";
import { ruleProblems } from "../policy/rule-problems.js";
import type { PermissionFilesOptions } from "./permission-files-options.js";

/** The rules of all sets, in their order, and rules that can never match among the problems. One closed set closes all. */
export function uniteRuleSets(
  sets: readonly RuleSet[],
  { knownTools, toolKinds }: Pick<PermissionFilesOptions, "knownTools" | "toolKinds">,
): RuleSet {
  const rules = sets.flatMap((set) => set.rules);
  const options = {
    ...(knownTools === undefined ? {} : { knownTools }),
    ...(toolKinds === undefined ? {} : { toolKinds }),
  };
  return {
    rules: Object.freeze(rules),
    problems: Object.freeze([...sets.flatMap((set) => set.problems), ...ruleProblems(rules, options)]),
    failClosed: sets.find((set) => set.failClosed !== null)?.failClosed ?? null,
  };
}
