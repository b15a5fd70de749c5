import type { Anchors } from "../paths/anchors.js";
import { foldSpelling } from "../paths/fold-case.js";
import type { PathForms } from "../paths/path-forms.js";
import { type SpellingOptions, spellingsOf } from "../paths/path-spellings.js";
import { withSlashes } from "../paths/place-path.js";
import { prefixFolder } from "../paths/prefix-folder.js";
import type { CompiledPathPattern } from "./compile-path-pattern.js";
import type { PathPattern } from "./path-pattern.js";
import { literalFolder, PlacedMatcher, throughAnchors } from "./pattern-places.js";
import type { TextMatcher } from "./text-matcher.js";
import { textTokens } from "./token.js";
import { matcherOf } from "./token-matcher.js";

/** The paths that a pattern of a deny or an ask knows, in any of their forms. */
export class TightenedPaths implements CompiledPathPattern {
  readonly literalPrefix = "";
  readonly #pattern: PathPattern;
  readonly #anchors: Anchors | null;
  readonly #spelling: SpellingOptions;
  readonly #folder: string;
  readonly #written: TextMatcher;
  readonly #matcher: TextMatcher;
  readonly #moved: PlacedMatcher;
  readonly #followed: PlacedMatcher;

  constructor(
    written: string,
    pattern: PathPattern,
    { anchors, exact }: { anchors: Anchors | null; exact: boolean },
  ) {
    this.#spelling = {
      caseInsensitive: anchors?.caseInsensitive === true,
      platform: anchors?.platform ?? "posix",
    };
    const { caseInsensitive, platform } = this.#spelling;
    const spell = (text: string) => foldSpelling(text, caseInsensitive);
    const text = spell(withSlashes(written, platform));
    const matcherFor = (each: PathPattern) => new PlacedMatcher(each, spell);
    this.#pattern = pattern;
    this.#anchors = anchors;
    this.#folder = literalFolder(pattern);
    this.#written = exact
      ? { matches: (form) => form === text }
      : matcherOf(textTokens(writtenFolder(text)), "/");
    this.#matcher = matcherFor(pattern).at(this.#folder);
    this.#moved = matcherFor(pattern);
    this.#followed = matcherFor(pattern);
  }

  matchesPath(forms: PathForms): boolean {
    const { written, paths, rooted, isNormal } = spellingsOf(forms, this.#spelling);
    const { floats, absolute } = this.#pattern;
    const places = floats || !absolute ? rooted : paths;
    for (const path of places) if (this.#matcher.matches(path)) return true;
    // Without a workspace the matcher has seen a normal path as it is written.
    if (!(isNormal && this.#anchors === null) && this.#written.matches(written)) return true;
    return !floats && this.#matchesElsewhere(forms, paths);
  }

  /** Where the links of root and home lead, and those in the literal part of the pattern. */
  #matchesElsewhere(forms: PathForms, paths: readonly string[]): boolean {
    const anchors = this.#anchors;
    if (anchors === null) return false;
    const moved = throughAnchors(this.#folder, anchors);
    if (moved !== null && isMatch(this.#moved, moved, paths)) return true;
    const followed = prefixFolder(forms, this.#folder, { literal: this.#pattern, anchors });
    return followed !== null && followed !== this.#folder && isMatch(this.#followed, followed, paths);
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
