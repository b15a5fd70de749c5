import type { RuleEffect, WorkspaceReader } from "@x/permission-core";
import { type Anchors, anchorsOf } from "../paths/anchors.js";
import type { PathForms } from "../paths/path-forms.js";
import { AllowedPaths } from "./allowed-paths.js";
import { prefixOf } from "./compile-pattern.js";
import { parsePathPattern } from "./path-pattern.js";
import { TightenedPaths } from "./tightened-paths.js";

export interface PathPatternSettings {
  /** compare the path literally; default false */
  readonly exact?: boolean;
  /** what the rule does that the pattern stands in */
  readonly effect: RuleEffect;
  /** the one that the paths are resolved with; left out: patterns are lexical, as the paths are */
  readonly workspace?: WorkspaceReader;
}

/** A pattern for paths, ready to be compared with many. */
export interface CompiledPathPattern {
  /** every normal path that matches begins with it; empty: any may */
  readonly literalPrefix: string;
  matchesPath(forms: PathForms): boolean;
}

/**
 * A pattern for paths. `*` and `?` are as in texts, `**` is any run of folders; dot files are files like any other. A pattern
 * that ends in `/`, `:*` or `:` is a folder and all that is below it (`src/`), and `**` alone is the whole workspace.
 *
 * For an allow, `*` and `?` stay inside one name, a relative pattern is rooted at the workspace, and a path is covered if both
 * its normal and its real form are: the links of root and home count as followed, no others. What is `unresolved` never is.
 *
 * For a deny or an ask, `*` crosses folders too, a leading `**` begins anywhere, whatever is below a path that matches also
 * does (`Read(secret)` and `Read(secret/**)` are the folder and all in it), and any form is enough: as written, normal, real,
 * with accents composed, case folded where the file system does, and with the links in the literal part of the pattern
 * followed. Without a workspace, a relative one begins anywhere, since nobody knows where it starts.
 */
export function compilePathPattern(pattern: string, settings: PathPatternSettings): CompiledPathPattern {
  const { exact = false, effect, workspace } = settings;
  if (pattern === "") return { literalPrefix: "", matchesPath: (forms) => isCovered(forms, effect) };
  const places: Anchors | null = workspace === undefined ? null : anchorsOf(workspace);
  const tightens = effect !== "allow";
  // A prefix of nothing is no clear permission for anything.
  if (!tightens && !exact && prefixOf(pattern) === "") return NOTHING;
  const parsed = parsePathPattern(pattern, { exact, tightens, places });
  return tightens
    ? new TightenedPaths(pattern, parsed, { anchors: places, exact })
    : new AllowedPaths(parsed, places);
}

const NOTHING: CompiledPathPattern = { literalPrefix: "", matchesPath: () => false };

function isCovered(forms: PathForms, effect: RuleEffect): boolean {
  return effect !== "allow" || !forms.unresolved;
}
