import type { Rule, RuleProblem } from "@x/permission-core";
import { LISTED_KINDS } from "../calls/tool-kind.js";
import type { EvaluationOptions } from "../evaluate/evaluation-request.js";
import { ruleText } from "../evaluate/rule-text.js";

/** Kinds that rules may name though no target of theirs is known. */
const NAMED = [...LISTED_KINDS, "Bash", "Subagent"];

/**
 * Rules that can never match: those whose tool is neither a kind, a tool of the host, nor a pattern. Where the host does not
 * say what tools it has, only names that are a kind but for their case.
 */
export function ruleProblems(
  rules: readonly Rule[],
  options: Pick<EvaluationOptions, "knownTools" | "toolKinds"> = {},
): RuleProblem[] {
  return rules.flatMap((rule) => {
    const message = problemOf(rule.tool, options);
    if (message === null) return [];
    const line = rule.origin?.line;
    return [
      {
        file: rule.origin?.file ?? "",
        ...(line === undefined ? {} : { line }),
        text: ruleText(rule),
        message,
      },
    ];
  });
}

function problemOf(
  tool: string,
  { knownTools, toolKinds = {} }: Pick<EvaluationOptions, "knownTools" | "toolKinds">,
): string | null {
  if (tool === "" || isPattern(tool) || NAMED.includes(tool)) return null;
  if (Object.hasOwn(toolKinds, tool) || Object.values(toolKinds).includes(tool)) return null;
  if (knownTools?.includes(tool)) return null;
  const kind = NAMED.find((name) => name.toLowerCase() === tool.toLowerCase());
  if (kind !== undefined) return `there is no tool ${tool}, and names are case-sensitive: write ${kind}`;
  if (knownTools === undefined) return null;
  return `there is no tool or kind of tools called ${tool}, so this rule never matches`;
}

/** A trailing `*`, or the bare name of an MCP server. */
function isPattern(tool: string): boolean {
  return tool.endsWith("*") || /^mcp__[^_]+(?:_[^_]+)*$/.test(tool);
}
