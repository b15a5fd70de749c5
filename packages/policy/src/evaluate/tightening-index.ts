import type { WorkspaceReader } from "@x/permission-core";
import { anchorsOf } from "../paths/anchors.js";
import type { PathForms } from "../paths/path-forms.js";
import {
  type PathSpellings,
  type SpellingOptions,
  spellingIn,
  spellingsOf,
} from "../paths/path-spellings.js";
import type { PrefixFolders } from "../paths/prefix-folders.js";
import { type CompiledPathPattern, compileTightenedPaths } from "../patterns/compile-path-pattern.js";
import { TightenedAnywhere } from "../patterns/paths-anywhere.js";
import type { TightenedPaths } from "../patterns/tightened-paths.js";
import type { CompiledRule } from "./compiled-rule.js";
import { PrefixTree } from "./prefix-tree.js";

/** A rule that denies or asks, and its pattern. */
export interface TighteningEntry {
  readonly rule: CompiledRule;
  /** null: every path */
  readonly pattern: CompiledPathPattern | null;
}

/**
 * Rules that deny or ask, found by how the paths begin that they may match: as written, as placed, and where the links in the
 * literal folders of their patterns lead. What is found is only likely to match; what is not found does not.
 */
export class TighteningIndex {
  readonly all: readonly TighteningEntry[];
  readonly #spelling: SpellingOptions;
  /** by no beginning: their patterns may match anywhere */
  readonly #anywhere: TighteningEntry[] = [];
  readonly #written = new PrefixTree<TighteningEntry>();
  readonly #placed = new PrefixTree<TighteningEntry>();
  /** by their literal folders, which links may lead elsewhere */
  readonly #byFolder = new Map<string, { pattern: TightenedPaths; entry: TighteningEntry }[]>();
  /** by where those lead, for as long as one call is judged */
  readonly #elsewhere = new WeakMap<PrefixFolders, PrefixTree<TighteningEntry>>();

  constructor(rules: readonly CompiledRule[], workspace: WorkspaceReader | undefined) {
    this.#spelling = spellingIn(workspace === undefined ? null : anchorsOf(workspace));
    this.all = rules.map((rule) => {
      const pattern = compileTightenedPaths(rule.isTooLong ? "" : rule.rule.pattern, {
        exact: rule.isExact,
        ...(workspace === undefined ? {} : { workspace }),
      });
      const entry = { rule, pattern };
      if (pattern === null) this.#anywhere.push(entry);
      else if (!(pattern instanceof TightenedAnywhere)) this.#place(pattern, entry, true);
      else if (pattern.looksWindows) this.#anywhere.push(entry);
      else this.#place(pattern.posix, entry, false);
      return entry;
    });
  }

  /** Calls `visit` with every rule that may match the path, some of them more than once. */
  visit(forms: PathForms, folders: PrefixFolders, visit: (entry: TighteningEntry) => void): void {
    // As on Windows, any may.
    if (forms.windows !== null) {
      for (const entry of this.all) visit(entry);
      return;
    }
    for (const entry of this.#anywhere) visit(entry);
    if (this.#written.size === 0) return;
    const spellings = spellingsOf(forms, this.#spelling);
    this.#written.visit(spellings.written, visit);
    visitEach(this.#placed, spellings, visit);
    if (this.#byFolder.size > 0) visitEach(this.#treeElsewhere(folders), spellings, visit);
  }

  #place(pattern: TightenedPaths, entry: TighteningEntry, followsLinks: boolean): void {
    if (!pattern.isPlaced) {
      this.#anywhere.push(entry);
      return;
    }
    this.#written.add(pattern.writtenPrefix, entry);
    this.#placed.add(pattern.prefixAt(pattern.folder), entry);
    if (!followsLinks) return;
    const sharing = this.#byFolder.get(pattern.folder);
    if (sharing === undefined) this.#byFolder.set(pattern.folder, [{ pattern, entry }]);
    else sharing.push({ pattern, entry });
  }

  #treeElsewhere(folders: PrefixFolders): PrefixTree<TighteningEntry> {
    const known = this.#elsewhere.get(folders);
    if (known !== undefined) return known;
    const tree = new PrefixTree<TighteningEntry>();
    for (const sharing of this.#byFolder.values()) {
      const elsewhere = sharing[0]?.pattern.foldersElsewhere(folders) ?? [];
      for (const folder of elsewhere)
        for (const { pattern, entry } of sharing) tree.add(pattern.prefixAt(folder), entry);
    }
    this.#elsewhere.set(folders, tree);
    return tree;
  }
}

function visitEach(
  tree: PrefixTree<TighteningEntry>,
  { paths }: PathSpellings,
  visit: (entry: TighteningEntry) => void,
): void {
  if (tree.size > 0) for (const path of paths) tree.visit(path, visit);
}
