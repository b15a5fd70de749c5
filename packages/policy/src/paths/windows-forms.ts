import { foldNames, foldRelative, joinPath } from "./fold-names.js";
import { isHostilePath } from "./hostile-path.js";
import type { PathForms } from "./path-forms.js";
import { type PlacedPath, type Places, placePath, withSlashes } from "./place-path.js";
import { windowsNames } from "./windows-names.js";

/** Windows without a workspace: nobody knows where relative paths start, nor the home folder. */
export const WINDOWS_ANYWHERE: Places = { platform: "win32", root: "/", home: null };

/** Whether a text names a path in a way of Windows: by a drive or a server (`//server`), or with `\` as separator. */
export function looksWindows(path: string): boolean {
  return path.includes("\\") || path.startsWith("//") || (path.charCodeAt(1) === COLON && DRIVE.test(path));
}

/**
 * The forms of a path as Windows reads it, where there is no workspace that says which system it is for. A drive and a share are
 * absolute; a path relative to whatever folder a drive stands at counts as one of its top, and is unresolved.
 */
export function windowsForms(written: string, folder: string | null): PathForms {
  const placed = placePath(withSlashes(written, "win32"), WINDOWS_ANYWHERE);
  const start = placed.from === "top" || folder === null || folder === "" ? null : folder;
  const from = start === null ? placed : placePath(withSlashes(start, "win32"), WINDOWS_ANYWHERE);
  const { names, doubtful } = windowsNames(start === null ? placed.names : [...from.names, ...placed.names]);
  const isUnknown = folder === null && placed.from !== "top";
  return {
    written,
    normal: folded(from, names),
    real: null,
    unresolved: isUnknown || doubtful || isDoubtful(placed) || isDoubtful(from) || isHostilePath(written),
    inWorkspace: null,
    windows: null,
  };
}

/** `~` is a name here, as it is in all paths without a workspace. */
function isDoubtful({ doubtful, from }: PlacedPath): boolean {
  return doubtful && from === "top";
}

/** `.` where nothing is left. */
function folded({ top, from }: PlacedPath, names: readonly string[]): string {
  if (from === "top") return joinPath(top, foldNames(names));
  const left = foldRelative(names);
  return left.length === 0 ? "." : left.join("/");
}

const DRIVE = /^[A-Za-z]:/;
const COLON = 0x3a;
