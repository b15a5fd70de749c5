import { foldNames, foldRelative, joinPath } from "./fold-names.js";
import { isHostilePath, isOfProcess, LONGEST_PATH } from "./hostile-path.js";
import type { PathForms } from "./path-forms.js";
import { namesOf } from "./place-path.js";
import { isPlainPath } from "./plain-path.js";
import { looksWindows, windowsForms } from "./windows-forms.js";

/**
 * The forms of a path where there is no workspace: `.` and `..` fold as on posix, and of one that looks like a path of Windows
 * also as there. A relative path stays one, with the `..` that lead above where it starts; `~` is a name.
 */
export function lexicalForms(written: string, folder: string | null): PathForms {
  if (folder === "" && isPlainPath(written))
    return forms(written, written, written.length > LONGEST_PATH, null);
  const isAbsolute = written.startsWith("/");
  const unresolved = (folder === null && !isAbsolute) || isHostilePath(written);
  const path = isAbsolute || folder === null || folder === "" ? written : `${folder}/${written}`;
  const windows = looksWindows(path) || looksWindows(written) ? windowsForms(written, folder) : null;
  return forms(written, foldLexically(path), unresolved, windows);
}

function forms(written: string, normal: string, unresolved: boolean, windows: PathForms | null): PathForms {
  const isElsewhere = unresolved || isOfProcess(normal);
  return { written, normal, real: null, unresolved: isElsewhere, inWorkspace: null, windows };
}

/** `.` where nothing is left. */
function foldLexically(path: string): string {
  if (isPlainPath(path)) return path;
  if (path.startsWith("/")) return joinPath("", foldNames(namesOf(path)));
  const folded = foldRelative(namesOf(path));
  return folded.length === 0 ? "." : folded.join("/");
}
