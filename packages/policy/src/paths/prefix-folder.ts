import type { Anchors } from "./anchors.js";
import { joinPath } from "./fold-names.js";
import { followLinks } from "./follow-links.js";
import type { PathForms } from "./path-forms.js";

/** What was found while one path was judged: many rules begin with the same folder. */
interface Found {
  readonly forms: PathForms;
  readonly folders: Map<string, string | null>;
}

const FOUND = new WeakMap<Anchors, Found>();

/**
 * Where the links in the literal part of a pattern lead now, without `/` at its end; null: that cannot be told. Looked up once
 * for each path that is judged, never kept longer, since links change.
 */
export function prefixFolder(
  forms: PathForms,
  { top, literal }: { top: string; literal: readonly string[] },
  anchors: Anchors,
): string | null {
  let found = FOUND.get(anchors);
  if (found === undefined || found.forms !== forms) {
    found = { forms, folders: new Map() };
    FOUND.set(anchors, found);
  }
  const path = joinPath(top, literal);
  const known = found.folders.get(path);
  if (known !== undefined) return known;
  const real = followLinks(anchors.reader, top, literal);
  const folder = real?.endsWith("/") ? real.slice(0, -1) : real;
  found.folders.set(path, folder);
  return folder;
}
