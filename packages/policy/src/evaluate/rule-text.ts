import type { Rule } from "@x/permission-core";

/** `Tool(pattern)`, as it is written in a file; an empty tool is `*`, an empty pattern leaves the parentheses out. */
export function ruleText({ tool, pattern }: Pick<Rule, "tool" | "pattern">): string {
  const name = tool === "" ? "*" : tool;
  return pattern === "" ? name : `${name}(${pattern})`;
}

/**
 * Scope, text and place of a rule: `the managed rule Bash(kubectl:*) (rules[3], policy.yaml:12)`. `place` is where it stands
 * in the list that was evaluated.
 */
export function describeRule(rule: Rule, place: string): string {
  return `the ${rule.scope} rule ${ruleText(rule)} (${place}${originText(rule)})`;
}

function originText({ origin }: Rule): string {
  if (origin === undefined) return "";
  return origin.line === undefined ? `, ${origin.file}` : `, ${origin.file}:${origin.line}`;
}
