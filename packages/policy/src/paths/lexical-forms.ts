import { foldNames, foldRelative, joinPath } from "./fold-names.js";
import { isHostilePath } from "./hostile-path.js";
import type { PathForms } from "./path-forms.js";
import { namesOf } from "./place-path.js";
import { isPlainPath } from "./plain-path.js";
import { looksWindows, windowsForms } from "./windows-forms.js";

/**
 * The forms of a path where there is no workspace: `.` and `..` fold as on posix, and of one that looks like a path of Windows
 * also as there. A relative path stays one, with the `..` that lead above where it starts; `~` is a name.
 */
export function lexicalForms(written: string, folder: string | null): PathForms {
  const isAbsolute = written.startsWith("/");
  const unresolved = (folder === null && !isAbsolute) || isHostilePath(written);
  const path = isAbsolute || folder === null || folder === "" ? written : `${folder}/${written}`;
  const windows = looksWindows(path) || looksWindows(written) ? windowsForms(written, folder) : null;
  return { written, normal: foldLexically(path), real: null, unresolved, inWorkspace: null, windows };
}

/** `.` where nothing is left. */
function foldLexically(path: string): string {
  if (isPlainPath(path)) return path;
  if (path.startsWith("/")) return joinPath("", foldNames(namesOf(path)));
  const folded = foldRelative(namesOf(path));
  return folded.length === 0 ? "." : folded.join("/");
}
