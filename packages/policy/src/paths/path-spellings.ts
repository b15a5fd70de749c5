import type { Anchors } from "./anchors.js";
import { foldSpelling, plainSpellings } from "./fold-case.js";
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
  /** beside those; none where they are ASCII */
  readonly #others: readonly string[];
  #paths: readonly string[] | null = null;
  #rooted: readonly string[] | null = null;

  constructor(forms: PathForms, { platform, caseInsensitive }: SpellingOptions) {
    const { written, normal, real } = forms;
    this.forms = forms;
    this.written = foldSpelling(withSlashes(written, platform), caseInsensitive);
    this.#normal = normal === written ? this.written : foldSpelling(normal, caseInsensitive);
    this.#real = real === null || real === normal ? null : foldSpelling(real, caseInsensitive);
    const others = [normal, real ?? normal].flatMap((path) => plainSpellings(path, caseInsensitive));
    this.#others = others.length === 0 ? NONE : others;
  }

  /** normal and real, each once, and what else these may be spelled as */
  get paths(): readonly string[] {
    this.#paths ??= this.#all();
    return this.#paths;
  }

  /** the same with a `/` in front of each; where a relative path starts is empty */
  get rooted(): readonly string[] {
    this.#rooted ??= this.paths.map(rooted);
    return this.#rooted;
  }

  /** written as its normal and real form are */
  get isNormal(): boolean {
    return this.#real === null && this.#normal === this.written;
  }

  #all(): readonly string[] {
    const own = this.#real === null ? [this.#normal] : [this.#normal, this.#real];
    return this.#others.length === 0 ? own : [...new Set([...own, ...this.#others])];
  }
}

const NONE: readonly string[] = [];

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
