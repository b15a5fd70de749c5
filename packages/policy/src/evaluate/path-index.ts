import type { Audience, WorkspaceReader } from "@x/permission-core";
import type { PathForms } from "../paths/path-forms.js";
import type { PrefixFolders } from "../paths/prefix-folders.js";
import { type CompiledPathPattern, compilePathPattern } from "../patterns/compile-path-pattern.js";
import type { CompiledRule } from "./compiled-rule.js";
import type { LiteralPlaces } from "./literal-place.js";
import type { Matches } from "./matches.js";
import { PrefixTree } from "./prefix-tree.js";
import { type TighteningEntry, TighteningIndex } from "./tightening-index.js";

interface AllowEntry {
  rule: CompiledRule;
  pattern: CompiledPathPattern;
}

/** Which rules of a kind bind what calls of another kind do to a path: its denies alone, or operators' asks too. */
export type BoundBy = "denies" | "demands";

/** What is the same for all paths of a call. */
export interface PathJudge {
  readonly audience: Audience;
  /** what was looked up for the call already */
  readonly folders: PrefixFolders;
  readonly places: LiteralPlaces;
}

/** Rules as they speak of the paths of one workspace: those that allow by how these begin, and those that tighten. */
export class PathIndex {
  readonly #allows = new PrefixTree<AllowEntry>();
  readonly #tightening: TighteningIndex;
  /** those that bind other kinds, by what binds and whose calls these are */
  readonly #bindings = new Map<string, readonly CompiledRule[]>();

  constructor(rules: readonly CompiledRule[], workspace: WorkspaceReader | undefined) {
    for (const rule of rules) {
      if (rule.effect !== "allow" || rule.isTooLong) continue;
      const pattern = compilePathPattern(rule.rule.pattern, {
        exact: rule.isExact,
        effect: rule.effect,
        ...(workspace === undefined ? {} : { workspace }),
      });
      this.#allows.add(pattern.literalPrefix, { rule, pattern });
    }
    const tightening = rules.filter(({ effect }) => effect !== "allow");
    this.#tightening = new TighteningIndex(tightening, workspace);
  }

  /** Adds every rule that matches the path. No allow covers one whose links cannot be followed. */
  addMatches(forms: PathForms, judge: PathJudge, matches: Matches): void {
    const add = (entry: AllowEntry | TighteningEntry) => {
      if (isMatch(entry, forms, judge)) matches.add(entry.rule);
    };
    if (!forms.unresolved) this.#allows.visit(forms.normal, add);
    this.#tightening.visit(forms, judge.folders, add);
  }

  /** Adds those that bind other kinds. */
  addBinding(forms: PathForms, judge: PathJudge, matches: Matches, by: BoundBy): void {
    this.#tightening.visit(forms, judge.folders, (entry) => {
      if (bindsBy(entry, by) && isMatch(entry, forms, judge)) matches.add(entry.rule);
    });
  }

  /** The first that binds, and names a place in the folder that `forms` are of; null: none does. */
  demandWithin(forms: PathForms, { audience, places }: PathJudge, by: BoundBy): CompiledRule | null {
    return places.firstWithin(forms, this.#binding(by, audience));
  }

  #binding(by: BoundBy, audience: Audience): readonly CompiledRule[] {
    const key = `${by} ${audience}`;
    const known = this.#bindings.get(key);
    if (known !== undefined) return known;
    const entries = this.#tightening.all.filter((entry) => bindsBy(entry, by));
    const rules = entries.map(({ rule }) => rule).filter((rule) => rule.appliesTo(audience));
    this.#bindings.set(key, rules);
    return rules;
  }
}

function bindsBy({ rule }: TighteningEntry, by: BoundBy): boolean {
  return by === "denies" ? rule.effect === "deny" : rule.isDemand;
}

function isMatch(
  { rule, pattern }: AllowEntry | TighteningEntry,
  forms: PathForms,
  { audience, folders }: PathJudge,
): boolean {
  return rule.appliesTo(audience) && (pattern === null || pattern.matchesPath(forms, folders));
}
