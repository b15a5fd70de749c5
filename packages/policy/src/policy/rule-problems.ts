import { displaySafe, type Rule, type RuleProblem } from "@x/permission-core";
import { LISTED_KINDS } from "../calls/tool-kind.js";
import type { EvaluationOptions } from "../evaluate/evaluation-request.js";
import { ruleText } from "../evaluate/rule-text.js";
import { LONGEST_PATTERN } from "../patterns/longest-pattern.js";
import { placeOf } from "./rule-place.js";

/** Kinds that rules may name though no target of theirs is known. */
const NAMED = [...LISTED_KINDS, "Bash", "Subagent"];

/**
 * Rules that say something else than they seem to: those whose pattern is too long to be read, and those that may never match: whose tool is neither a kind, a tool of the host as `knownTools` and `toolKinds` name
 * them, a tool or server of MCP, nor a pattern. The latter stay in force all the same. With `knownTools`, tools of MCP
 * must stand there too.
 */
export function ruleProblems(
  rules: readonly Rule[],
  options: Pick<EvaluationOptions, "knownTools" | "toolKinds"> = {},
): RuleProblem[] {
  return rules.flatMap((rule) => {
    const place = placeOf(rule);
    const isKnown = place?.knownTools.has(rule.tool) === true;
    const message = lengthProblem(rule) ?? (isKnown ? null : problemOf(rule.tool, options));
    if (message === null) return [];
    const line = rule.origin?.line;
    return [
      {
        file: rule.origin?.file ?? "",
        ...(line === undefined ? {} : { line }),
        ...(place === null ? {} : { column: place.column }),
        text: displaySafe(ruleText(rule)).text,
        message: displaySafe(message).text,
      },
    ];
  });
}

function lengthProblem({ pattern, exact, effect }: Rule): string | null {
  if (exact === true || pattern.length <= LONGEST_PATTERN) return null;
  const meaning = effect === "allow" ? "it allows nothing" : "it is read as one of the whole tool";
  return `the pattern is longer than ${LONGEST_PATTERN} characters, so ${meaning}: shorten it`;
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
  if (knownTools !== undefined)
    return `there is no tool or kind of tools called ${tool}, so this rule never matches`;
  if (tool.startsWith("mcp__")) return null;
  return `no kind of tools is called ${tool}: name it among the known tools where it is the host's, or correct it`;
}

/** A trailing `*`, or the bare name of an MCP server. */
function isPattern(tool: string): boolean {
  return tool.endsWith("*") || /^mcp__[^_]+(?:_[^_]+)*$/.test(tool);
}
