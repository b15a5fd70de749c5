import type { Rule, WorkspaceReader } from "@x/permission-core";
import { foldSpelling } from "../paths/fold-case.js";
import { HeldPaths } from "../paths/held-paths.js";
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
  readonly #held = new Map<readonly CompiledRule[], HeldPlaces>();

  constructor(workspace: WorkspaceReader | undefined) {
    this.#workspace = workspace;
  }

  /**
   * The first rule whose folder is the path or below it, so that what is done to the whole folder is done there as well; null:
   * there is none. A list of rules is known by identity.
   */
  firstWithin(forms: PathForms, rules: readonly CompiledRule[]): CompiledRule | null {
    const holder = this.#placeOf(forms);
    const { plain, windows, windowsOnly } = this.#heldBy(rules);
    const found = holder.paths.map((folder) => plain.firstIn(folder));
    if (holder.looksWindows) found.push(windows.firstIn(holder.onWindows));
    else if (this.#workspace === undefined) found.push(windowsOnly.firstIn(holder.onWindows));
    return rules[Math.min(...found)] ?? null;
  }

  #heldBy(rules: readonly CompiledRule[]): HeldPlaces {
    const known = this.#held.get(rules);
    if (known !== undefined) return known;
    const places = rules.map((rule) => this.#namedBy(rule));
    const held = (pathsOf: (place: Place) => readonly string[]) =>
      new HeldPaths(
        places.flatMap((place, position) =>
          place === null ? [] : pathsOf(place).map((path) => ({ path, position })),
        ),
      );
    const onWindows = ({ onWindows }: Place) => (this.#workspace === undefined ? [onWindows] : []);
    const found = {
      plain: held(({ paths }) => paths),
      windows: held(onWindows),
      windowsOnly: held((place) => (place.looksWindows ? onWindows(place) : [])),
    };
    this.#held.set(rules, found);
    return found;
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

/** Where the folders of a list of rules lie. */
interface HeldPlaces {
  readonly plain: HeldPaths;
  /** as on Windows; empty where a workspace says which system it is */
  readonly windows: HeldPaths;
  /** of these, those that look like it */
  readonly windowsOnly: HeldPaths;
}

/** All names before the first that holds a wildcard. */
function literalFolder(pattern: string, isPosix: boolean): string {
  const text = pattern.replace(/:\*?$/, "");
  const wildcard = text.search(/[*?]/);
  if (wildcard === -1) return text;
  const slash = text.lastIndexOf("/", wildcard);
  return text.slice(0, (isPosix ? slash : Math.max(slash, text.lastIndexOf("\\", wildcard))) + 1);
}
