import type { CompiledRule } from "./compiled-rule.js";

/**
 * The rules that match one text, and which of them decides: a deny at any scope, then an ask from above `builtin`, then an
 * allow from above `builtin`, then a builtin ask, then a builtin allow. Among equals the stronger scope, then the earlier rule.
 */
export class Matches {
  #deny: CompiledRule | null = null;
  #configuredAsk: CompiledRule | null = null;
  #configuredAllow: CompiledRule | null = null;
  #builtinAsk: CompiledRule | null = null;
  #builtinAllow: CompiledRule | null = null;
  readonly #all: Set<CompiledRule> | null;

  /** Keeps every rule where somebody wants to be told of it. */
  constructor(keepsAll: boolean) {
    this.#all = keepsAll ? new Set() : null;
  }

  add(rule: CompiledRule): void {
    this.#all?.add(rule);
    if (rule.effect === "deny") this.#deny = stronger(this.#deny, rule);
    else if (rule.effect === "allow") this.#addAllow(rule);
    else this.#addAsk(rule);
  }

  winner(): CompiledRule | null {
    return (
      this.#deny ?? this.#configuredAsk ?? this.#configuredAllow ?? this.#builtinAsk ?? this.#builtinAllow
    );
  }

  /** Each once, in the order of the request; empty where they were not kept. */
  all(): CompiledRule[] {
    return [...(this.#all ?? [])].sort((one, other) => (one.isBefore(other) ? -1 : 1));
  }

  #addAsk(rule: CompiledRule): void {
    if (rule.isBuiltin) this.#builtinAsk = stronger(this.#builtinAsk, rule);
    else this.#configuredAsk = stronger(this.#configuredAsk, rule);
  }

  #addAllow(rule: CompiledRule): void {
    if (rule.isBuiltin) this.#builtinAllow = stronger(this.#builtinAllow, rule);
    else this.#configuredAllow = stronger(this.#configuredAllow, rule);
  }
}

function stronger(one: CompiledRule | null, other: CompiledRule): CompiledRule {
  if (one === null) return other;
  if (one.rank !== other.rank) return one.rank < other.rank ? one : other;
  return other.isBefore(one) ? other : one;
}
