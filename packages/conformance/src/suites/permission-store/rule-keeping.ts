import type { Rule } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import { learnedRule, learnedRules, type PermissionStoreTests, record } from "./rule-samples.js";

/** What a store keeps of one session. By title. */
export const KEEPING: PermissionStoreTests = {
  "a session that learned nothing has no rules": async (store) => {
    requireSame(await store.rules("s"), [], "rules()");
    await store.forget("s");
    requireSame(await store.rules("s"), [], "rules() after forget()");
  },

  "gives rules back as they were recorded, with all their fields": async (store) => {
    const rules: Rule[] = [
      learnedRule("Shell", "npm test"),
      { scope: "managed", tool: "", pattern: "", effect: "deny" },
      {
        scope: "cli",
        tool: "Write",
        pattern: "docs/** \n\u0000é😀",
        effect: "ask",
        exact: false,
        audience: "subagent",
        id: "docs",
        reason: "look first",
        origin: { file: "settings.yaml", line: 3 },
      },
    ];
    await record(store, "s", rules);
    requireSame(await store.rules("s"), rules, "rules()");
  },

  "keeps the order in which rules were recorded": async (store) => {
    const rules = learnedRules(20);
    await record(store, "s", rules);
    requireSame(await store.rules("s"), rules, "rules()");
  },

  "keeps a rule that is recorded again once, in its first place": async (store) => {
    const [first, second] = [learnedRule("Shell", "a"), learnedRule("Shell", "b")];
    const turned = Object.fromEntries(Object.entries(first).toReversed()) as unknown as Rule;
    await record(store, "s", [first, second, structuredClone(first), turned]);
    requireSame(await store.rules("s"), [first, second], "rules()");
  },

  "tells rules apart that differ in one field": async (store) => {
    const rules: Rule[] = [
      learnedRule("Shell", "a"),
      learnedRule("shell", "a"),
      learnedRule("Shell", "A"),
      learnedRule("Shell", "a "),
      learnedRule("Shella", ""),
      learnedRule("", "Shella"),
      learnedRule("Shell", "a", { effect: "deny" }),
      learnedRule("Shell", "a", { scope: "builtin" }),
      learnedRule("Shell", "a", { audience: "subagent" }),
      learnedRule("Shell", "a", { exact: false }),
    ];
    await record(store, "s", rules);
    requireSame(await store.rules("s"), rules, "rules()");
  },

  "records that overlap lose nothing": async (store) => {
    const rules = learnedRules(20);
    await Promise.all(rules.map((rule) => store.record("s", rule)));
    const patterns = (await store.rules("s")).map(({ pattern }) => pattern).sort();
    requireSame(patterns, rules.map(({ pattern }) => pattern).sort(), "the patterns of rules()");
  },

  "what the caller does to a rule or a list that it gave or got changes nothing": async (store) => {
    const rule = learnedRule("Shell", "a", { origin: { file: "f", line: 1 } });
    const given = structuredClone(rule);
    await store.record("s", given);
    spoil(given);
    const got = await store.rules("s");
    for (const each of got) spoil(each);
    got.push(learnedRule("Shell", "never recorded"));
    requireSame(await store.rules("s"), [rule], "rules()");
  },
};

function spoil(rule: Rule): void {
  rule.tool = "spoilt";
  rule.pattern = "";
  if (rule.origin !== undefined) rule.origin.file = "spoilt";
}
