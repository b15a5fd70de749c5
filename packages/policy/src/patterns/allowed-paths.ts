import type { Anchors } from "../paths/anchors.js";
import type { PathForms } from "../paths/path-forms.js";
import type { Places } from "../paths/place-path.js";
import type { CompiledPathPattern } from "./compile-path-pattern.js";
import type { PathPattern } from "./path-pattern.js";
import { literalFolder, PlacedMatcher, throughAnchors } from "./pattern-places.js";
import type { TextMatcher } from "./text-matcher.js";

/** The paths that a pattern of an allow covers: normal and real form alike. */
export class AllowedPaths implements CompiledPathPattern {
  readonly literalPrefix: string;
  readonly #folder: string;
  readonly #matcher: TextMatcher;
  readonly #moved: PlacedMatcher;
  readonly #anchors: Anchors | null;
  readonly #platform: Places["platform"];
  readonly #isRelative: boolean;
  /** relative, and begins with a name without wildcards, so that it is compared without a `/` in front */
  readonly #isNamed: boolean;
  /** how many folders above where it starts a relative pattern leads */
  readonly #above: number;

  constructor(pattern: PathPattern, anchors: Anchors | null, platform: Places["platform"]) {
    this.#anchors = anchors;
    this.#platform = platform;
    this.#isRelative = !pattern.absolute;
    this.#isNamed = this.#isRelative && pattern.literal.length > 0;
    const folder = literalFolder(pattern);
    this.#folder = this.#isNamed ? folder.slice(1) : folder;
    const placed = new PlacedMatcher(pattern);
    this.#matcher = placed.at(this.#folder);
    this.#moved = new PlacedMatcher(pattern);
    const isMoved = anchors !== null && throughAnchors(this.#folder, anchors) !== null;
    this.#above = foldersAbove(pattern.literal.join("/"));
    const isAnywhere = isMoved || (this.#isRelative && !this.#isNamed);
    this.literalPrefix = isAnywhere ? "" : placed.literalPrefix(this.#folder);
  }

  matchesPath({ normal, real, unresolved }: PathForms): boolean {
    if (unresolved || !this.#covers(normal)) return false;
    return real === null || real === normal || this.#covers(real);
  }

  #covers(path: string): boolean {
    if (this.#isRelative) return this.#coversRelative(path);
    if (this.#matcher.matches(path)) return true;
    if (this.#anchors === null) return false;
    const folder = throughAnchors(this.#folder, this.#anchors);
    return folder !== null && this.#moved.at(folder).matches(path);
  }

  /** No wildcard leads up, or to the top. */
  #coversRelative(path: string): boolean {
    if (isAbsolute(path, this.#platform) || foldersAbove(path) !== this.#above) return false;
    if (this.#isNamed) return this.#matcher.matches(path);
    return this.#matcher.matches(path === "." ? "" : `/${path}`);
  }
}

function isAbsolute(path: string, platform: Places["platform"]): boolean {
  return path.startsWith("/") || (platform === "win32" && DRIVE.test(path));
}

const DRIVE = /^[A-Z]:\//;

/** How many `..` a folded path begins with. */
function foldersAbove(path: string): number {
  let count = 0;
  while (path.startsWith("..", count * 3)) {
    const end = count * 3 + 2;
    if (end === path.length) return count + 1;
    if (path.charAt(end) !== "/") return count;
    count++;
  }
  return count;
}
