import type { Audience } from "@x/permission-core";
import { prefixOf } from "../patterns/compile-pattern.js";
import type { CompiledRule } from "./compiled-rule.js";
import { PrefixTree } from "./prefix-tree.js";

/**
 * Denies and operators' asks by the program that their patterns are about: its whole name (`git push *`), how it begins
 * (`kube*`), or any (`*--force*`).
 */
export class ProgramIndex {
  readonly #named = new Map<string, CompiledRule[]>();
  readonly #begun = new PrefixTree<CompiledRule>();
  readonly #any: CompiledRule[] = [];

  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) if (rule.isDemand && rule.rule.pattern !== "") this.#add(rule);
  }

  get isEmpty(): boolean {
    return this.#named.size === 0 && this.#begun.size === 0 && this.#any.length === 0;
  }

  /** A rule that could be about `program`; null: there is none. */
  about(program: string, audience: Audience): CompiledRule | null {
    return this.naming(program, audience) ?? firstOf(this.#any, audience);
  }

  /** A rule that names `program`, at least by how it begins; null: there is none. */
  naming(program: string, audience: Audience): CompiledRule | null {
    const named = firstOf(this.#named.get(program) ?? [], audience);
    if (named !== null || this.#begun.size === 0) return named;
    const begun: CompiledRule[] = [];
    this.#begun.visit(program, (rule) => begun.push(rule));
    return firstOf(begun, audience);
  }

  #add(rule: CompiledRule): void {
    for (const { literalPrefix } of rule.textPatterns()) {
      const [word = "", ...rest] = literalPrefix.split(/\s/);
      if (word === "") this.#any.push(rule);
      else if (rest.length > 0 || isWhole(rule)) push(this.#named, word, rule);
      else this.#begun.add(word, rule);
    }
  }
}

/** Whether nothing but white space can follow what the pattern begins with. */
function isWhole({ rule, isExact }: CompiledRule): boolean {
  return isExact || !/[*?]/.test(prefixOf(rule.pattern) ?? rule.pattern);
}

function push(named: Map<string, CompiledRule[]>, word: string, rule: CompiledRule): void {
  const rules = named.get(word);
  if (rules === undefined) named.set(word, [rule]);
  else if (rules.at(-1) !== rule) rules.push(rule);
}

function firstOf(rules: readonly CompiledRule[], audience: Audience): CompiledRule | null {
  return rules.find((rule) => rule.appliesTo(audience)) ?? null;
}
