import type { PathForms } from "../paths/path-forms.js";
import { type SpellingOptions, spellingIn } from "../paths/path-spellings.js";
import type { Places } from "../paths/place-path.js";
import { looksWindows, windowsForms } from "../paths/windows-forms.js";
import type { AllowedPaths } from "./allowed-paths.js";
import type { CompiledPathPattern } from "./compile-path-pattern.js";
import type { TightenedPaths } from "./tightened-paths.js";

export type Platform = Places["platform"];

const ON_POSIX: SpellingOptions = spellingIn(null);
const ON_WINDOWS: SpellingOptions = { platform: "win32", caseInsensitive: true };

/** The paths that a pattern of an allow covers where nobody knows the system: in every way that they may be read. */
export class AllowedAnywhere implements CompiledPathPattern {
  readonly literalPrefix: string;
  readonly #read: (platform: Platform) => AllowedPaths;
  readonly #posix: AllowedPaths;
  #windows: AllowedPaths | null = null;

  constructor(read: (platform: Platform) => AllowedPaths) {
    this.#read = read;
    this.#posix = read("posix");
    this.literalPrefix = this.#posix.literalPrefix;
  }

  matchesPath(forms: PathForms): boolean {
    if (!this.#posix.matchesPath(forms)) return false;
    if (forms.windows === null) return true;
    this.#windows ??= this.#read("win32");
    return this.#windows.matchesPath(forms.windows);
  }
}

/** The paths that a pattern of a deny or an ask knows where nobody knows the system: in any way that they may be read. */
export class TightenedAnywhere implements CompiledPathPattern {
  readonly literalPrefix = "";
  /** as it is read where nothing looks like a path of Windows */
  readonly posix: TightenedPaths;
  /** whether it is to be compared with every path as on Windows */
  readonly looksWindows: boolean;
  readonly #read: (spelling: SpellingOptions) => TightenedPaths;
  #windows: TightenedPaths | null = null;

  constructor(pattern: string, read: (spelling: SpellingOptions) => TightenedPaths) {
    this.#read = read;
    this.posix = read(ON_POSIX);
    this.looksWindows = looksWindows(pattern) && !NAME_OR_DRIVE.test(pattern);
  }

  matchesPath(forms: PathForms): boolean {
    if (this.posix.matchesPath(forms)) return true;
    if (forms.windows !== null) return this.#matchesOnWindows(forms.windows);
    return this.looksWindows && this.#matchesOnWindows(windowsForms(forms.normal, ""));
  }

  #matchesOnWindows(forms: PathForms): boolean {
    this.#windows ??= this.#read(ON_WINDOWS);
    return this.#windows.matchesPath(onDriveOf(this.#windows.folder, forms));
  }
}

/** A path that begins with `\` is one of the drive or share that is meant: it may be the pattern's. */
function onDriveOf(folder: string, forms: PathForms): PathForms {
  if (!ROOTED.test(forms.normal)) return forms;
  const top = TOP.exec(folder)?.[0];
  return top === undefined ? forms : { ...forms, normal: top + forms.normal };
}

/** `x:*` is a drive only for paths that look like those of Windows: else it is all that begins with the name `x`. */
const NAME_OR_DRIVE = /^[A-Za-z]:\*?$/;
const ROOTED = /^\/(?!\/)/;
const TOP = /^(?:[A-Z]:|\/\/[^/]+(?:\/[^/]+)?)/;
