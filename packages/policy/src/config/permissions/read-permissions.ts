import type { Audience, RuleSet } from "@x/permission-core";
import type { ConfigEntry, ConfigMap, ConfigNode } from "../syntax/config-node.js";
import type { ConfigSource } from "./config-source.js";
import { readEntry } from "./read-entry.js";
import { RuleCollector } from "./rule-collector.js";
import { isEffect, readRuleList } from "./rule-lists.js";

/**
 * The rules of a permission file: `permissions: { allow, ask, deny, subagent: { allow, ask, deny } }`. A top-level deny binds
 * everybody, allow and ask the main agent, the block its children. Fails closed on an unknown key under `permissions`, on
 * what is no list, on lists that stand outside `permissions`, and on a file that says other things and nothing of permissions.
 */
export function readPermissions(root: ConfigNode, source: ConfigSource): RuleSet {
  const collector = new RuleCollector(source);
  if (root.type === "map") readFile(root, collector);
  else if (root.type !== "nothing")
    collector.refuse(root, "is no permission file: write permissions: and lists below it");
  return collector.finish();
}

function readFile(root: ConfigMap, collector: RuleCollector): void {
  const others = root.entries.filter(({ key }) => key !== "permissions" && key !== "$schema");
  const isNamed = root.entries.some(({ key }) => key === "permissions");
  for (const entry of root.entries) {
    if (entry.key === "permissions") readBlock(entry, null, collector);
  }
  for (const entry of others) {
    if (isEffect(entry.key) || entry.key === "subagent") {
      collector.refuse(entry, "stands outside permissions: move it below that key");
    } else if (isNamed) {
      collector.report(
        entry,
        "is no setting that is read here, only permissions is: remove it or correct its name",
      );
    } else {
      collector.refuse(
        entry,
        "stands in a permission file without permissions: write permissions: and lists below it",
      );
    }
  }
}

/** `permissions`, or with an audience the block of that audience in it. */
function readBlock({ value }: ConfigEntry, audience: Audience | null, collector: RuleCollector): void {
  if (value.type === "nothing") return;
  if (value.type !== "map") {
    collector.refuse(value, "is no object: write the lists allow, ask and deny below it");
    return;
  }
  for (const entry of value.entries) {
    const { key } = entry;
    if (isEffect(key)) {
      const bound = audience ?? (key === "deny" ? "all" : "main");
      readRuleList(entry.value, collector, (node) => collector.add(node, readEntry(node), key, bound));
    } else if (key === "subagent" && audience === null) readBlock(entry, "subagent", collector);
    else {
      const keys = audience === null ? "allow, ask, deny and subagent" : "allow, ask and deny";
      collector.refuse(entry, `is an unknown key, only ${keys} stand here: correct or remove it`);
    }
  }
}
