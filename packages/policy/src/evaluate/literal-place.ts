import type { Rule, WorkspaceReader } from "@x/permission-core";
import { foldSpelling } from "../paths/fold-case.js";
import { isWithin } from "../paths/fold-names.js";
import type { PathForms } from "../paths/path-forms.js";
import { resolvePath } from "../paths/resolve-path.js";
import type { CompiledRule } from "./compiled-rule.js";

/** A folder, as places are compared. */
interface Place {
  /** normal and real, each once */
  readonly paths: readonly string[];
  /** whether there is no workspace, and it looks like a path of Windows */
  readonly looksWindows: boolean;
  /** where there is no workspace, as on Windows */
  readonly onWindows: string;
}

/**
 * The folders that the patterns of rules name before their first wildcard, each looked up once while one call is judged. Never
 * kept longer, since links change between calls.
 */
export class LiteralPlaces {
  readonly #workspace: WorkspaceReader | undefined;
  readonly #places = new Map<CompiledRule, Place | null>();

  constructor(workspace: WorkspaceReader | undefined) {
    this.#workspace = workspace;
  }

  /**
   * Tells of rules whether the folder that they name is the path or below it, so that what is done to the whole folder is done
   * there as well.
   */
  within(forms: PathForms): (rule: CompiledRule) => boolean {
    const holder = this.#placeOf(forms);
    return (rule) => {
      const place = this.#namedBy(rule);
      return place !== null && holdsPlace(holder, place);
    };
  }

  #namedBy(rule: CompiledRule): Place | null {
    const known = this.#places.get(rule);
    if (known !== undefined) return known;
    const place = this.#lookUp(rule.rule);
    this.#places.set(rule, place);
    return place;
  }

  /** null for a pattern that begins with a wildcard, and for one of the workspace's root. */
  #lookUp({ pattern, exact }: Rule): Place | null {
    const literal = exact === true ? pattern : literalFolder(pattern, this.#workspace?.platform === "posix");
    if (literal === "") return null;
    const options = this.#workspace === undefined ? {} : { workspace: this.#workspace };
    const forms = resolvePath(literal, options);
    return forms.normal === resolvePath(".", options).normal ? null : this.#placeOf(forms);
  }

  #placeOf({ normal, real, windows }: PathForms): Place {
    const spell = (text: string) => foldSpelling(text, this.#workspace?.caseInsensitive === true);
    const paths = [spell(normal)];
    if (real !== null && real !== normal) paths.push(spell(real));
    const isUnknown = this.#workspace === undefined;
    return {
      paths,
      looksWindows: windows !== null,
      onWindows: isUnknown ? foldSpelling(windows?.normal ?? normal, true) : "",
    };
  }
}

function holdsPlace(holder: Place, place: Place): boolean {
  for (const path of place.paths) for (const folder of holder.paths) if (holds(folder, path)) return true;
  return (holder.looksWindows || place.looksWindows) && holds(holder.onWindows, place.onWindows);
}

function holds(holder: string, place: string): boolean {
  // Without a workspace a path may be relative: `.` and `..` hold what begins there.
  if (holder.startsWith(".") && RELATIVE_TOP.test(holder)) return !STARTS_ELSEWHERE.test(place);
  return isWithin(holder, place);
}

const RELATIVE_TOP = /^\.\.?(?:\/\.\.)*$/;
const STARTS_ELSEWHERE = /^(?:\/|\.\.(?:\/|$))/;

/** All names before the first that holds a wildcard. */
function literalFolder(pattern: string, isPosix: boolean): string {
  const text = pattern.replace(/:\*?$/, "");
  const wildcard = text.search(/[*?]/);
  if (wildcard === -1) return text;
  const slash = text.lastIndexOf("/", wildcard);
  return text.slice(0, (isPosix ? slash : Math.max(slash, text.lastIndexOf("\\", wildcard))) + 1);
}
