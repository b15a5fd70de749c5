import type { Audience } from "@x/permission-core";
import { isAscii } from "../paths/fold-case.js";
import type { CompiledPattern } from "../patterns/compiled-pattern.js";
import type { CompiledRule } from "./compiled-rule.js";
import type { Matches } from "./matches.js";
import { PrefixTree } from "./prefix-tree.js";

interface Entry {
  rule: CompiledRule;
  /** null: every text */
  pattern: CompiledPattern | null;
}

/** Rules by the literal text that their patterns begin with: those that allow, and those that tighten. */
export class TextIndex {
  readonly #allows = new PrefixTree<Entry>();
  readonly #tightening = new PrefixTree<Entry>();

  constructor(rules: readonly CompiledRule[], patternsOf: (rule: CompiledRule) => CompiledPattern[]) {
    for (const rule of rules) {
      const tree = rule.effect === "allow" ? this.#allows : this.#tightening;
      if (rule.rule.pattern === "") tree.add("", { rule, pattern: null });
      else for (const pattern of patternsOf(rule)) tree.add(pattern.literalPrefix, { rule, pattern });
    }
  }

  /** Whether any rule denies or asks. */
  get tightens(): boolean {
    return this.#tightening.size > 0;
  }

  /** Adds every rule that allows `text`; with `literally`, only those that are for exactly this text. */
  addAllows(text: string, audience: Audience, matches: Matches, literally = false): void {
    this.#allows.visit(text, (entry) => {
      if (literally && !entry.rule.isLiteral) return;
      if (isMatch(entry, text, audience)) matches.add(entry.rule);
    });
  }

  /** Adds every rule that allows whatever the text is, by an empty pattern. */
  addWholeToolAllows(audience: Audience, matches: Matches): void {
    this.#allows.visit("", ({ rule, pattern }) => {
      if (pattern === null && rule.appliesTo(audience)) matches.add(rule);
    });
  }

  /** Adds every rule that denies `text` or asks about it. */
  addTightening(text: string, audience: Audience, matches: Matches): void {
    if (!this.tightens) return;
    this.#addTightening(text, audience, matches);
    if (isAscii(text)) return;
    const composed = text.normalize("NFC");
    if (composed !== text) this.#addTightening(composed, audience, matches);
  }

  #addTightening(text: string, audience: Audience, matches: Matches): void {
    this.#tightening.visit(text, (entry) => {
      if (isMatch(entry, text, audience)) matches.add(entry.rule);
    });
  }
}

function isMatch({ rule, pattern }: Entry, text: string, audience: Audience): boolean {
  return rule.appliesTo(audience) && (pattern === null || pattern.matches(text));
}
