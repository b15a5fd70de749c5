import type { RuleEffect } from "@x/permission-core";
import type { ConfigNode } from "../syntax/config-node.js";
import type { RuleCollector } from "./rule-collector.js";

export function isEffect(key: string): key is RuleEffect {
  return key === "allow" || key === "ask" || key === "deny";
}

/** Gives each entry of a list to `add`. Nothing at all is an empty list; anything else fails closed. */
export function readRuleList(
  node: ConfigNode,
  collector: RuleCollector,
  add: (entry: ConfigNode) => void,
): void {
  if (node.type === "list") node.items.forEach(add);
  else if (node.type !== "nothing")
    collector.refuse(node, "is no list of rules: write one rule a line, after dashes or in [ ]");
}
