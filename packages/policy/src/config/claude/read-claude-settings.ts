import type { RuleSet } from "@x/permission-core";
import type { ConfigSource } from "../permissions/config-source.js";
import { RuleCollector } from "../permissions/rule-collector.js";
import { isEffect, readRuleList } from "../permissions/rule-lists.js";
import type { ConfigEntry, ConfigNode } from "../syntax/config-node.js";
import { translateRule } from "./translate-rule.js";

/** What plan mode changes nothing with. */
const MUTATING = ["Bash", "Edit", "Write", "Copy", "Move", "Remove"];

/**
 * The rules of a Claude settings file, as https://docs.claude.com/en/docs/claude-code/settings has them. There, denies and asks
 * bind child agents as well; allows are read for the main agent only. Every other setting is reported as not read.
 */
export function readClaudeSettings(root: ConfigNode, source: ConfigSource): RuleSet {
  const collector = new RuleCollector(source);
  if (root.type !== "map") {
    collector.refuse(root, "is no settings file: write an object");
    return collector.finish();
  }
  for (const entry of root.entries) {
    if (entry.key === "permissions") readPermissions(entry, source, collector);
    else if (entry.key !== "$schema") notRead(entry, collector);
  }
  return collector.finish();
}

function readPermissions({ value }: ConfigEntry, source: ConfigSource, collector: RuleCollector): void {
  if (value.type === "nothing") return;
  if (value.type !== "map") {
    collector.refuse(value, "is no object: write the lists allow, ask and deny in it");
    return;
  }
  for (const entry of value.entries) {
    const { key } = entry;
    if (isEffect(key)) {
      const audience = key === "allow" ? "main" : "all";
      readRuleList(entry.value, collector, (node) =>
        collector.add(node, translateRule(node, key, source.scope), key, audience),
      );
    } else if (key === "defaultMode") readMode(entry, collector);
    else notRead(entry, collector);
  }
}

/** The host sets the mode; but what plan mode would deny asks at least. */
function readMode(entry: ConfigEntry, collector: RuleCollector): void {
  if (entry.value.type !== "text" || entry.value.value !== "plan") {
    notRead(entry, collector);
    return;
  }
  const targets = MUTATING.map((tool) => ({ tool, pattern: "" }));
  const shown = { reason: "the Claude settings ask for plan mode" };
  collector.add(entry.value, { targets, shown, text: null, problem: null }, "ask", "all");
  collector.report(entry, "is not read as a mode, which the host sets: what changes something asks instead");
}

function notRead(entry: ConfigEntry, collector: RuleCollector): void {
  collector.report(entry, "is a setting that is not read here: set what it means in the host, if it matters");
}
