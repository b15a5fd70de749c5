import { namedOptions, type Rule, type RuleResolver, type RuleSet } from "@x/permission-core";
import { childFloorRules } from "./builtin-rules.js";
import { childReading } from "./child-reading.js";
import { continueWith } from "./continue-with.js";
import { RulePolicy, type RulePolicyOptions } from "./rule-policy.js";
import type { RuleSource } from "./rule-source.js";

/** What is otherwise than in the parent; what is left out is read as the parent reads it. */
export type ChildPolicyOptions = Omit<RulePolicyOptions, "rules" | "builtins" | "audience">;

/**
 * The policy of a child agent: its own rules, behind them an allow of everything, and before them every deny of its parent
 * that binds subagents, read anew at every call. A parent that fails closed closes its children. It reads calls as the
 * parent does, and further where `options` say more, and keeps what it learns to itself unless it gets a store.
 */
export function createChildPolicy(
  parent: RulePolicy,
  rules: RuleSource,
  options: ChildPolicyOptions = {},
): RulePolicy {
  // The parent's denies hold whatever becomes of the child's own rules.
  const { onReport } = options;
  const own = new RulePolicy({ rules, builtins: false, ...(onReport === undefined ? {} : { onReport }) });
  const united = new UnitedSets();
  const resolve: RuleResolver["resolve"] = (workspace) =>
    continueWith(parent.rules(workspace), (inherited) =>
      continueWith(own.rules(workspace), (set) => united.unite(inherited, set)),
    );
  return new RulePolicy({
    ...childReading(parent.evaluationOptions, options),
    ...namedOptions(options, { store: true, onReport: true }),
    rules: { resolve },
    builtins: false,
    audience: "subagent",
  });
}

/** One and the same set for one and the same two lists. */
class UnitedSets {
  readonly #lists = new WeakMap<readonly Rule[], WeakMap<readonly Rule[], readonly Rule[]>>();

  unite(parent: RuleSet, child: RuleSet): RuleSet {
    return {
      rules: this.#list(parent.rules, child.rules),
      problems: child.problems,
      failClosed: parent.failClosed ?? child.failClosed,
    };
  }

  #list(parent: readonly Rule[], child: readonly Rule[]): readonly Rule[] {
    const ofParent = this.#lists.get(parent) ?? new WeakMap<readonly Rule[], readonly Rule[]>();
    this.#lists.set(parent, ofParent);
    const known = ofParent.get(child);
    if (known !== undefined) return known;
    const denies = parent.filter(({ effect, audience }) => effect === "deny" && audience !== "main");
    const list = Object.freeze([...denies, ...child, ...childFloorRules()]);
    ofParent.set(child, list);
    return list;
  }
}
