import type { Rule } from "@x/permission-core";
import { isListedKind } from "../calls/tool-kind.js";
import { toolMatches } from "../patterns/tool-pattern.js";

/** One kind under two names. */
const SHELL_NAMES: readonly string[] = ["Shell", "Bash"];

/**
 * Whether a rule speaks of a tool of this kind: by the kind, or by the tool's own name. A tool that is called like another
 * kind than its own gets nothing from that kind's allows.
 */
export function ruleNames(rule: Rule, tool: string, kind: string): boolean {
  if (rule.tool === "") return true;
  const kinds = kind === "Shell" ? SHELL_NAMES : [kind];
  if (kinds.some((name) => toolMatches(rule.tool, name))) return true;
  if (rule.effect === "allow" && isListedKind(tool)) return false;
  return toolMatches(rule.tool, tool);
}
