import type { Anchors } from "../paths/anchors.js";
import { foldSpelling } from "../paths/fold-case.js";
import type { PathForms } from "../paths/path-forms.js";
import { type SpellingOptions, spellingsOf } from "../paths/path-spellings.js";
import { withSlashes } from "../paths/place-path.js";
import { PrefixFolders } from "../paths/prefix-folders.js";
import type { CompiledPathPattern } from "./compile-path-pattern.js";
import type { PathPattern } from "./path-pattern.js";
import { literalFolder, PlacedMatcher, throughAnchors } from "./pattern-places.js";
import type { TextMatcher } from "./text-matcher.js";
import { textTokens } from "./token.js";
import { literalPrefixOf, matcherOf } from "./token-matcher.js";

export interface TightenedPathsOptions {
  /** null: there is no workspace */
  readonly anchors: Anchors | null;
  readonly spelling: SpellingOptions;
  readonly exact: boolean;
}

/** The paths that a pattern of a deny or an ask knows, in any of their forms. */
export class TightenedPaths implements CompiledPathPattern {
  readonly literalPrefix = "";
  /** what every written form begins with that matches as such, spelled as forms are compared */
  readonly writtenPrefix: string;
  readonly #pattern: PathPattern;
  readonly #anchors: Anchors | null;
  readonly #spelling: SpellingOptions;
  readonly #folder: string;
  readonly #written: TextMatcher;
  readonly #matcher: TextMatcher;
  readonly #moved: PlacedMatcher;
  readonly #followed: PlacedMatcher;

  constructor(written: string, pattern: PathPattern, { anchors, spelling, exact }: TightenedPathsOptions) {
    this.#spelling = spelling;
    const { caseInsensitive, platform } = spelling;
    const spell = (text: string) => foldSpelling(text, caseInsensitive);
    const text = spell(withSlashes(written, platform));
    const matcherFor = (each: PathPattern) => new PlacedMatcher(each, spell);
    this.#pattern = pattern;
    this.#anchors = anchors;
    this.#folder = literalFolder(pattern);
    const writtenTokens = textTokens(writtenFolder(text));
    this.writtenPrefix = exact ? text : literalPrefixOf(writtenTokens);
    this.#written = exact ? { matches: (form) => form === text } : matcherOf(writtenTokens, "/");
    this.#matcher = matcherFor(pattern).at(this.#folder);
    this.#moved = matcherFor(pattern);
    this.#followed = matcherFor(pattern);
  }

  /** Whether normal and real forms match only below the literal folders of the pattern, wherever these lead. */
  get isPlaced(): boolean {
    return this.#pattern.absolute && !this.#pattern.floats;
  }

  /** The literal folders of the pattern as a path without `/` at its end. */
  get folder(): string {
    return this.#folder;
  }

  /** What every normal or real form begins with that matches where the literal folders lead to `folder`, spelled as forms are. */
  prefixAt(folder: string): string {
    return this.#moved.literalPrefix(folder);
  }

  /** Where the literal folders lead, by the links of root and home, and by all links in them; each once, and not as written. */
  foldersElsewhere(folders: PrefixFolders): string[] {
    const elsewhere = [this.#movedFolder(), this.#followedFolder(folders)];
    return [...new Set(elsewhere)].filter((folder) => folder !== null);
  }

  matchesPath(forms: PathForms, folders: PrefixFolders = new PrefixFolders()): boolean {
    const spellings = spellingsOf(forms, this.#spelling);
    const { floats, absolute } = this.#pattern;
    const places = floats || !absolute ? spellings.rooted : spellings.paths;
    for (const path of places) if (this.#matcher.matches(path)) return true;
    // Without a workspace the matcher has seen a normal path as it is written.
    const hasSeenWritten = this.#anchors === null && spellings.isNormal;
    if (!hasSeenWritten && this.#written.matches(spellings.written)) return true;
    return !floats && this.#matchesElsewhere(spellings.paths, folders);
  }

  #matchesElsewhere(paths: readonly string[], folders: PrefixFolders): boolean {
    const moved = this.#movedFolder();
    if (moved !== null && isMatch(this.#moved, moved, paths)) return true;
    const followed = this.#followedFolder(folders);
    return followed !== null && isMatch(this.#followed, followed, paths);
  }

  #movedFolder(): string | null {
    return this.#anchors === null ? null : throughAnchors(this.#folder, this.#anchors);
  }

  #followedFolder(folders: PrefixFolders): string | null {
    if (this.#anchors === null) return null;
    const followed = folders.realOf(this.#folder, this.#pattern, this.#anchors);
    return followed === this.#folder ? null : followed;
  }
}

function isMatch(placed: PlacedMatcher, folder: string, paths: readonly string[]): boolean {
  return paths.some((path) => placed.at(folder).matches(path));
}

/** Without what says that it is a folder, or that all in it is meant. */
function writtenFolder(pattern: string): string {
  const folder = pattern.replace(/:\*?$/, "");
  return folder.replace(/(?:\/\**)+$/, "");
}
