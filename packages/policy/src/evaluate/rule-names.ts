import type { Rule } from "@x/permission-core";
import { isListedKind } from "../calls/tool-kind.js";
import { toolMatches } from "../patterns/tool-pattern.js";

/** One kind under two names. */
const SHELL_NAMES: readonly string[] = ["Shell", "Bash"];

/**
 * Whether a rule speaks of a tool of this kind: by the kind, or by the tool's own name. A tool that is called like another
 * kind than its own gets nothing from that kind's allows. An exact allow is for one tool, so that what is learned of a tool
 * whose name reads as a pattern widens nothing; an exact deny or ask keeps its reach.
 */
export function ruleNames(rule: Rule, tool: string, kind: string): boolean {
  const exact = rule.exact === true && rule.effect === "allow";
  if (rule.tool === "" && !exact) return true;
  const kinds = kind === "Shell" ? SHELL_NAMES : [kind];
  if (kinds.some((name) => toolMatches(rule.tool, name, { exact }))) return true;
  if (rule.effect === "allow" && isListedKind(tool)) return false;
  return toolMatches(rule.tool, tool, { exact });
}
