import type { RuleEffect, WorkspaceReader } from "@x/permission-core";
import { anchorsOf } from "../paths/anchors.js";
import type { PathForms } from "../paths/path-forms.js";
import { type SpellingOptions, spellingIn } from "../paths/path-spellings.js";
import type { PrefixFolders } from "../paths/prefix-folders.js";
import { AllowedPaths } from "./allowed-paths.js";
import { prefixOf } from "./compile-pattern.js";
import { parsePathPattern } from "./path-pattern.js";
import { AllowedAnywhere, type Platform, TightenedAnywhere } from "./paths-anywhere.js";
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
  /** `folders` is what was looked up for the same call already; left out: nothing was */
  matchesPath(forms: PathForms, folders?: PrefixFolders): boolean;
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
 *
 * Without a workspace nobody knows the system either: where path or pattern have a drive, `\` or `//` in front, both are also read as on Windows,
 * case folded. For a deny or an ask either reading is enough, and for an allow the path must be covered in both.
 */
export function compilePathPattern(pattern: string, settings: PathPatternSettings): CompiledPathPattern {
  const { exact = false, effect } = settings;
  if (effect !== "allow") return compileTightenedPaths(pattern, settings) ?? EVERYTHING;
  if (pattern === "") return EVERYTHING_RESOLVED;
  // A prefix of nothing is no clear permission for anything.
  if (!exact && prefixOf(pattern) === "") return NOTHING;
  const { workspace } = settings;
  const anchors = workspace === undefined ? null : anchorsOf(workspace);
  const read = (platform: Platform) => {
    const parsed = parsePathPattern(pattern, { exact, tightens: false, places: anchors, platform });
    return new AllowedPaths(parsed, anchors, platform);
  };
  return anchors === null ? new AllowedAnywhere(read) : read(anchors.platform);
}

/** The pattern of a deny or an ask; null: it is empty, so that every path matches. */
export function compileTightenedPaths(
  pattern: string,
  { exact = false, workspace }: Omit<PathPatternSettings, "effect">,
): TightenedPaths | TightenedAnywhere | null {
  if (pattern === "") return null;
  const anchors = workspace === undefined ? null : anchorsOf(workspace);
  const read = (spelling: SpellingOptions) => {
    const { platform } = spelling;
    const parsed = parsePathPattern(pattern, { exact, tightens: true, places: anchors, platform });
    return new TightenedPaths(pattern, parsed, { anchors, spelling, exact });
  };
  return anchors === null ? new TightenedAnywhere(pattern, read) : read(spellingIn(anchors));
}

const NOTHING: CompiledPathPattern = { literalPrefix: "", matchesPath: () => false };
const EVERYTHING: CompiledPathPattern = { literalPrefix: "", matchesPath: () => true };
const EVERYTHING_RESOLVED: CompiledPathPattern = {
  literalPrefix: "",
  matchesPath: ({ unresolved }) => !unresolved,
};
