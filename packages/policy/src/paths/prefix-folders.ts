import { type Anchors, realPathOf } from "./anchors.js";
import { followAbove } from "./follow-links.js";
import type { PathForms } from "./path-forms.js";

/** What was found while the last path was judged: many rules begin with the same folder. */
let last: { readonly forms: PathForms; readonly folders: Map<string, string | null> } | null = null;

/**
 * Where the links in the literal part of a pattern lead now, without `/` at its end; null: that cannot be told. `folder` is
 * that part as a path. Looked up once for each path that is judged and never kept longer, since links change.
 */
export function prefixFolder(
  forms: PathForms,
  folder: string,
  { literal, anchors }: { literal: { top: string; literal: readonly string[] }; anchors: Anchors },
): string | null {
  if (last === null || last.forms !== forms) last = { forms, folders: new Map() };
  const { folders } = last;
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const real = follow(folder, literal, anchors);
  const found = real?.endsWith("/") ? real.slice(0, -1) : real;
  folders.set(folder, found);
  return found;
}

function follow(
  folder: string,
  { top, literal }: { top: string; literal: readonly string[] },
  { reader }: Anchors,
): string | null {
  try {
    return realPathOf(reader, literal.length === 0 ? `${top}/` : folder) ?? followAbove(reader, top, literal);
  } catch {
    return null;
  }
}
