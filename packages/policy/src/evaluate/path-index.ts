import type { Audience, WorkspaceReader } from "@x/permission-core";
import type { PathForms } from "../paths/path-forms.js";
import { type CompiledPathPattern, compilePathPattern } from "../patterns/compile-path-pattern.js";
import type { CompiledRule } from "./compiled-rule.js";
import { namesPlaceWithin } from "./literal-place.js";
import type { Matches } from "./matches.js";
import { PrefixTree } from "./prefix-tree.js";

interface Entry {
  rule: CompiledRule;
  pattern: CompiledPathPattern;
}

/** Which rules of a kind bind what calls of another kind do to a path: its denies alone, or operators' asks too. */
export type BoundBy = "denies" | "demands";

/** Rules as they speak of the paths of one workspace: those that allow by how these begin, and those that tighten. */
export class PathIndex {
  readonly #allows = new PrefixTree<Entry>();
  readonly #tightening: Entry[] = [];
  readonly #workspace: WorkspaceReader | undefined;

  constructor(rules: readonly CompiledRule[], workspace: WorkspaceReader | undefined) {
    this.#workspace = workspace;
    for (const rule of rules) {
      const pattern = compilePathPattern(rule.rule.pattern, {
        exact: rule.isExact,
        effect: rule.effect,
        ...(workspace === undefined ? {} : { workspace }),
      });
      if (rule.effect === "allow") this.#allows.add(pattern.literalPrefix, { rule, pattern });
      else this.#tightening.push({ rule, pattern });
    }
  }

  /** Adds every rule that matches the path. No allow covers one whose links cannot be followed. */
  addMatches(forms: PathForms, audience: Audience, matches: Matches): void {
    if (!forms.unresolved)
      this.#allows.visit(forms.normal, (entry) => {
        if (isMatch(entry, forms, audience)) matches.add(entry.rule);
      });
    for (const entry of this.#tightening) if (isMatch(entry, forms, audience)) matches.add(entry.rule);
  }

  /** The first that binds, and names a place in the folder that `forms` are of; null: none does. */
  demandWithin(forms: PathForms, audience: Audience, by: BoundBy): CompiledRule | null {
    const found = this.#tightening.find(
      (entry) =>
        bindsBy(entry, by) &&
        entry.rule.appliesTo(audience) &&
        namesPlaceWithin(forms, entry.rule.rule, this.#workspace),
    );
    return found?.rule ?? null;
  }

  /** Adds those that bind other kinds. */
  addBinding(forms: PathForms, audience: Audience, matches: Matches, by: BoundBy): void {
    for (const entry of this.#tightening) {
      if (bindsBy(entry, by) && isMatch(entry, forms, audience)) matches.add(entry.rule);
    }
  }
}

function bindsBy({ rule }: Entry, by: BoundBy): boolean {
  return by === "denies" ? rule.effect === "deny" : rule.isDemand;
}

function isMatch({ rule, pattern }: Entry, forms: PathForms, audience: Audience): boolean {
  return rule.appliesTo(audience) && pattern.matchesPath(forms);
}
