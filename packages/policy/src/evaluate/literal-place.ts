import type { Rule, WorkspaceReader } from "@x/permission-core";
import { foldSpelling } from "../paths/fold-case.js";
import { isWithin } from "../paths/fold-names.js";
import type { PathForms } from "../paths/path-forms.js";
import { resolvePath } from "../paths/resolve-path.js";

/**
 * Whether the folder that a rule's pattern names before its first wildcard is the path or below it, so that what is done to the
 * whole folder is done there as well. A pattern that begins with a wildcard, and one of the workspace's root, name none.
 */
export function namesPlaceWithin(
  forms: PathForms,
  { pattern, exact }: Rule,
  workspace: WorkspaceReader | undefined,
): boolean {
  const literal = exact === true ? pattern : literalFolder(pattern);
  if (literal === "") return false;
  const options = workspace === undefined ? {} : { workspace };
  const place = resolvePath(literal, options);
  if (place.normal === resolvePath(".", options).normal) return false;
  const spell = (text: string) => foldSpelling(text, workspace?.caseInsensitive === true);
  const places = [place.normal, place.real ?? place.normal].map(spell);
  const holders = [forms.normal, forms.real ?? forms.normal].map(spell);
  return holders.some((holder) => places.some((each) => holds(holder, each)));
}

function holds(holder: string, place: string): boolean {
  // Without a workspace a path may be relative: `.` and `..` hold what begins there.
  if (/^\.\.?(?:\/\.\.)*$/.test(holder)) return !/^(?:\/|\.\.(?:\/|$))/.test(place);
  return isWithin(holder, place);
}

function literalFolder(pattern: string): string {
  const text = pattern.replace(/:\*?$/, "");
  const wildcard = text.search(/[*?]/);
  return wildcard === -1 ? text : text.slice(0, text.lastIndexOf("/", wildcard) + 1);
}
