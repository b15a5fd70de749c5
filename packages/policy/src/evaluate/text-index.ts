import type { Audience } from "@x/permission-core";
import type { CompiledPattern } from "../patterns/compiled-pattern.js";
import type { CompiledRule } from "./compiled-rule.js";
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

  /** Calls `found` with every rule that allows `text`. */
  allowing(text: string, audience: Audience, found: (rule: CompiledRule) => void): void {
    this.#allows.visit(text, (entry) => {
      if (isMatch(entry, text, audience)) found(entry.rule);
    });
  }

  /** Calls `found` with every rule that denies `text` or asks about it; the same rule perhaps more than once. */
  tightening(text: string, audience: Audience, found: (rule: CompiledRule) => void): void {
    if (this.#tightening.size === 0) return;
    const visit = (spelling: string) =>
      this.#tightening.visit(spelling, (entry) => {
        if (isMatch(entry, spelling, audience)) found(entry.rule);
      });
    visit(text);
    if (isAscii(text)) return;
    const composed = text.normalize("NFC");
    if (composed !== text) visit(composed);
  }
}

function isMatch({ rule, pattern }: Entry, text: string, audience: Audience): boolean {
  return rule.appliesTo(audience) && (pattern === null || pattern.matches(text));
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
