import type { Anchors } from "./anchors.js";
import { foldSpelling } from "./fold-case.js";
import type { PathForms } from "./path-forms.js";
import { type Places, withSlashes } from "./place-path.js";

export interface SpellingOptions {
  readonly platform: Places["platform"];
  readonly caseInsensitive: boolean;
}

/** How paths are spelled in a workspace; null: there is none. */
export function spellingIn(anchors: Anchors | null): SpellingOptions {
  return {
    caseInsensitive: anchors?.caseInsensitive === true,
    platform: anchors?.platform ?? "posix",
  };
}

/** The forms of a path as rules that tighten compare them. */
export interface PathSpellings {
  readonly written: string;
  /** normal and real, each once */
  readonly paths: readonly string[];
  /** the same with a `/` in front of each; where a relative path starts is empty */
  readonly rooted: readonly string[];
  /** written as its normal and real form are */
  readonly isNormal: boolean;
}

/** The last ones: all rules that speak of a path are asked in turn. */
let last: { readonly forms: PathForms; readonly spellings: PathSpellings } | null = null;

/** The forms are of a workspace with these options, so that there are no others for them. */
export function spellingsOf(forms: PathForms, options: SpellingOptions): PathSpellings {
  if (last !== null && last.forms === forms) return last.spellings;
  const spellings = spell(forms, options);
  last = { forms, spellings };
  return spellings;
}

function spell(forms: PathForms, { platform, caseInsensitive }: SpellingOptions): PathSpellings {
  const written = foldSpelling(withSlashes(forms.written, platform), caseInsensitive);
  const normal = forms.normal === forms.written ? written : foldSpelling(forms.normal, caseInsensitive);
  const paths =
    forms.real === null || forms.real === forms.normal
      ? [normal]
      : [normal, foldSpelling(forms.real, caseInsensitive)];
  return { written, paths, rooted: paths.map(rooted), isNormal: paths.length === 1 && normal === written };
}

function rooted(path: string): string {
  if (path === ".") return "";
  return path.startsWith("/") ? path : `/${path}`;
}
