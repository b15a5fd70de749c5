import type { Rule } from "@x/permission-core";
import { isPathKind } from "../../calls/tool-kind.js";
import { LONGEST_PATTERN } from "../../patterns/longest-pattern.js";
import { parseRuleSpec } from "../../policy/parse-rule-spec.js";
import type { ConfigEntry, ConfigMap, ConfigNode } from "../syntax/config-node.js";
import { ALTERNATIVES, hasAlternatives, toolsInPattern } from "./suspect-pattern.js";
import { upToWildcard } from "./tool-in-text.js";

/** What a rule speaks of. */
export type RuleTarget = Pick<Rule, "tool" | "pattern" | "exact">;

/** What one entry of a list comes to. */
export interface ReadEntry {
  readonly targets: readonly RuleTarget[];
  readonly shown: Pick<Rule, "reason" | "id">;
  /** the rule's text, where there is one */
  readonly text: string | null;
  /** what is wrong with it and what to do, without a full stop; null: nothing */
  readonly problem: string | null;
}

export const SEVERAL_RULES = "seems to hold several rules: write each as an entry of its own";

const KEYS = ["rule", "reason", "id"];
/** `Tool`, `Tool(pattern)` or `{ rule, reason, id }`. Of an object that has more, `rule` is read all the same. */
export function readEntry(node: ConfigNode): ReadEntry {
  if (node.type === "text") return readRule(node.value, {});
  if (node.type !== "map")
    return bad(null, "is no rule: write Tool or Tool(pattern), in quotes where YAML needs them");
  const rule = textUnder(node, "rule");
  if (typeof rule !== "string") {
    return bad(null, "has no text under rule: write { rule, reason, id }, or put the rule in quotes");
  }
  const reason = textUnder(node, "reason");
  const id = textUnder(node, "id");
  const read = readRule(rule, {
    ...(typeof reason === "string" ? { reason } : {}),
    ...(typeof id === "string" ? { id } : {}),
  });
  const unknown = node.entries.find(({ key }) => !KEYS.includes(key));
  if (unknown !== undefined) return { ...read, problem: read.problem ?? unknownKey(unknown) };
  if (reason === null || id === null) {
    return { ...read, problem: read.problem ?? "has a reason or id that is no text: put it in quotes" };
  }
  return read;
}

function readRule(text: string, shown: ReadEntry["shown"]): ReadEntry {
  if (text.length > LONGEST_PATTERN)
    return bad(text, `is longer than ${LONGEST_PATTERN} characters: shorten the pattern`);
  const target = parseRuleSpec(text);
  if (target === null) return bad(text, "is no rule: write Tool or Tool(pattern)");
  const { tool, pattern } = target;
  const others = toolsInPattern(tool, pattern);
  if (others.length > 0) return bad(others.every((name) => name === tool) ? text : null, SEVERAL_RULES);
  if (tool !== upToWildcard(tool)) {
    return bad(
      text,
      "has a wildcard inside its tool's name, where only the end may have one: name the tools",
    );
  }
  const trimmed = { tool, pattern: pattern.trim() };
  if (trimmed.pattern === "" && text.includes("(")) {
    return {
      targets: [trimmed],
      shown,
      text,
      problem: "has an empty pattern: write the tool alone to mean every call",
    };
  }
  if (trimmed.pattern === pattern) {
    const problem = isPathKind(tool) && hasAlternatives(pattern) ? ALTERNATIVES : null;
    return { targets: [target], shown, text, problem };
  }
  const problem = "has white space around its pattern, which no text has: remove it";
  return { targets: [target, trimmed], shown, text, problem };
}

/** undefined: there is no such key; null: no text stands under it */
function textUnder(node: ConfigMap, name: string): string | null | undefined {
  const entry = node.entries.find(({ key }) => key === name);
  if (entry === undefined) return undefined;
  return entry.value.type === "text" ? entry.value.value : null;
}

function unknownKey({ key }: ConfigEntry): string {
  return `has the key ${JSON.stringify(key.slice(0, 40))}, which means nothing: remove it, only rule, reason and id are read`;
}

function bad(text: string | null, problem: string): ReadEntry {
  return { targets: [], shown: {}, text, problem };
}
