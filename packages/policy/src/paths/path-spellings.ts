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
export class PathSpellings {
  readonly forms: PathForms;
  readonly written: string;
  readonly #normal: string;
  /** null: the same as normal, or there is none */
  readonly #real: string | null;
  #paths: readonly string[] | null = null;
  #rooted: readonly string[] | null = null;

  constructor(forms: PathForms, { platform, caseInsensitive }: SpellingOptions) {
    const { written, normal, real } = forms;
    this.forms = forms;
    this.written = foldSpelling(withSlashes(written, platform), caseInsensitive);
    this.#normal = normal === written ? this.written : foldSpelling(normal, caseInsensitive);
    this.#real = real === null || real === normal ? null : foldSpelling(real, caseInsensitive);
  }

  /** normal and real, each once */
  get paths(): readonly string[] {
    this.#paths ??= this.#real === null ? [this.#normal] : [this.#normal, this.#real];
    return this.#paths;
  }

  /** the same with a `/` in front of each; where a relative path starts is empty */
  get rooted(): readonly string[] {
    this.#rooted ??=
      this.#real === null ? [rooted(this.#normal)] : [rooted(this.#normal), rooted(this.#real)];
    return this.#rooted;
  }

  /** written as its normal and real form are */
  get isNormal(): boolean {
    return this.#real === null && this.#normal === this.written;
  }
}

/** The last ones: all rules that speak of a path are asked in turn. */
let last: PathSpellings | null = null;

/** The forms are of a workspace with these options, so that there are no others for them. */
export function spellingsOf(forms: PathForms, options: SpellingOptions): PathSpellings {
  if (last === null || last.forms !== forms) last = new PathSpellings(forms, options);
  return last;
}

function rooted(path: string): string {
  if (path === ".") return "";
  return path.startsWith("/") ? path : `/${path}`;
}
