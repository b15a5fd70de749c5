import type { WorkspaceReader } from "@x/permission-core";
import { type Anchors, anchorsOf, realPathOf } from "./anchors.js";
import { foldNames, isWithin, joinPath } from "./fold-names.js";
import { followAbove, followLinks } from "./follow-links.js";
import { isHostilePath, isOfProcess } from "./hostile-path.js";
import { lexicalForms } from "./lexical-forms.js";
import type { PathForms } from "./path-forms.js";
import { placePath, withSlashes } from "./place-path.js";
import { isPlainPath } from "./plain-path.js";
import { windowsNames } from "./windows-names.js";

export interface ResolveOptions {
  /** left out: only the text is looked at */
  readonly workspace?: WorkspaceReader;
  /** what a relative path is relative to, itself relative to the root: default empty, the root; null: that cannot be told */
  readonly folder?: string | null;
}

/**
 * The forms of a path. Total: whatever the text or the file system holds, nothing is thrown, and what cannot be told is
 * `unresolved`.
 */
export function resolvePath(path: string, options: ResolveOptions = {}): PathForms {
  const { workspace, folder = "" } = options;
  if (workspace === undefined) return lexicalForms(path, folder);
  const anchors = anchorsOf(workspace);
  if (anchors.platform === "posix" && folder === "" && isPlainPath(path))
    return plainForms(path, path.startsWith("/") ? path : below(anchors.root, path), anchors);
  return placedForms(path, folder, anchors);
}

/** Of a path whose normal form takes no work. */
function plainForms(written: string, normal: string, anchors: Anchors): PathForms {
  let real: string | null;
  try {
    real = realPathOf(anchors.reader, normal) ?? followAbove(anchors.reader, "", normal.slice(1).split("/"));
  } catch {
    real = null;
  }
  return forms(written, normal, real, anchors);
}

function placedForms(written: string, folder: string | null, anchors: Anchors): PathForms {
  const { platform, reader } = anchors;
  const path = withSlashes(written, platform);
  const placed = placePath(path, anchors);
  const isUnknown = folder === null && placed.from === "root";
  const start = folder === null || folder === "" || placed.from !== "root" ? null : folder;
  const from = start === null ? placed : placePath(withSlashes(start, platform), anchors);
  const named = start === null ? placed.names : [...from.names, ...placed.names];
  const { names, doubtful } = platform === "win32" ? windowsNames(named) : { names: named, doubtful: false };
  const raw = [...from.base, ...names];
  const normal = joinPath(from.top, foldNames(raw));
  if (isUnknown || doubtful || placed.doubtful || from.doubtful || isHostilePath(written))
    return forms(written, normal, null, anchors);
  const real = followLinks(reader, from.top, raw);
  // `..` behind a link leaves another folder for those who follow it first than for those who fold it first.
  const isAmbiguous = raw.includes("..") && real !== followLinks(reader, from.top, foldNames(raw));
  return isAmbiguous && real !== null
    ? { written, normal, real, unresolved: true, inWorkspace: false, windows: null }
    : forms(written, normal, real, anchors);
}

function forms(written: string, normal: string, real: string | null, anchors: Anchors): PathForms {
  if (real === null || isOfProcess(normal) || isOfProcess(real))
    return { written, normal, real: real ?? normal, unresolved: true, inWorkspace: false, windows: null };
  const root = anchors.realRoot();
  const inWorkspace =
    root !== null && isWithin(root, real) && (isWithin(anchors.root, normal) || isWithin(root, normal));
  return { written, normal, real, unresolved: false, inWorkspace, windows: null };
}

function below(folder: string, path: string): string {
  return folder.endsWith("/") ? folder + path : `${folder}/${path}`;
}
