import type { Rule } from "@x/permission-core";

/** Puts the same rules behind every list, and gives one and the same list for one and the same list. */
export class RuleListJoiner {
  readonly #behind: readonly Rule[];
  readonly #joined = new WeakMap<readonly Rule[], readonly Rule[]>();

  constructor(behind: readonly Rule[]) {
    this.#behind = behind;
  }

  join(rules: readonly Rule[]): readonly Rule[] {
    const known = this.#joined.get(rules);
    if (known !== undefined && known.length === rules.length + this.#behind.length) return known;
    const joined = [...rules, ...this.#behind];
    this.#joined.set(rules, joined);
    return joined;
  }
}
