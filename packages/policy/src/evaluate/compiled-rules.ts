import type { Rule } from "@x/permission-core";
import { CompiledRule } from "./compiled-rule.js";
import { ruleNames } from "./rule-names.js";
import { RulesOfTool } from "./rules-of-tool.js";

/** A list that was asked about more tools than these begins its index anew: names of tools come from models. */
const MOST_TOOLS = 256;

/** A rule list, indexed by tool the first time that each is called. */
export class CompiledRules {
  readonly #rules: readonly CompiledRule[];
  readonly #byTool = new Map<string, RulesOfTool>();

  constructor(rules: readonly Rule[], list: "rules" | "learned") {
    this.#rules = rules.map((rule, index) => new CompiledRule(rule, list, index));
  }

  get size(): number {
    return this.#rules.length;
  }

  /** Those that speak of the tool by its own name or by its kind. */
  ofTool(tool: string, kind: string): RulesOfTool {
    const key = tool === kind ? kind : `${kind}\n${tool}`;
    const known = this.#byTool.get(key);
    if (known !== undefined) return known;
    if (this.#byTool.size >= MOST_TOOLS) this.#byTool.clear();
    const found = new RulesOfTool(this.#rules.filter(({ rule }) => ruleNames(rule, tool, kind)));
    this.#byTool.set(key, found);
    return found;
  }
}

const COMPILED = {
  rules: new WeakMap<readonly Rule[], CompiledRules>(),
  learned: new WeakMap<readonly Rule[], CompiledRules>(),
};

/**
 * The list made ready, once for as long as it lives: it is known by identity, so neither it nor its rules may be changed in
 * place. Frozen or not, a change is a new list.
 */
export function compiledRules(rules: readonly Rule[], list: "rules" | "learned"): CompiledRules {
  const known = COMPILED[list].get(rules);
  if (known !== undefined && known.size === rules.length) return known;
  const compiled = new CompiledRules(rules, list);
  COMPILED[list].set(rules, compiled);
  return compiled;
}
