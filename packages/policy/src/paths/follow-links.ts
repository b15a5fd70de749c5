import type { WorkspaceReader } from "@x/permission-core";
import { realPathOf } from "./anchors.js";
import { foldRelative, joinPath } from "./fold-names.js";

/**
 * Where a path leads once its links are followed, name by name. Of what does not exist, where the nearest folder above it that
 * does leads, and the rest. null where it cannot be told: a link is broken or loops, the system refuses, or `..` leaves a
 * file.
 */
export function followLinks(reader: WorkspaceReader, top: string, names: readonly string[]): string | null {
  try {
    return realPathOf(reader, joinPath(top, names)) ?? followAbove(reader, top, names);
  } catch {
    return null;
  }
}

/** The same of a path that does not exist as a whole. */
export function followAbove(reader: WorkspaceReader, top: string, names: readonly string[]): string | null {
  const real = (count: number) => realPathOf(reader, joinPath(top, names.slice(0, count)));
  try {
    const found = nearest(real, names.length);
    if (found === null) return null;
    const rest = names.slice(found.count);
    if (rest.includes(".."))
      return followFolded(reader, top, { existing: names.slice(0, found.count), rest });
    return found.path.endsWith("/") ? found.path + rest.join("/") : `${found.path}/${rest.join("/")}`;
  } catch {
    return null;
  }
}

/** Nobody gets through a folder that is not there but those who fold `..` first, or make it. */
function followFolded(
  reader: WorkspaceReader,
  top: string,
  { existing, rest }: { existing: readonly string[]; rest: readonly string[] },
): string | null {
  const folded = foldRelative(rest);
  return folded.length === rest.length ? null : followLinks(reader, top, [...existing, ...folded]);
}

/** The longest beginning that exists: the one above at most times, else halving, since a path may have any length. */
function nearest(
  real: (count: number) => string | null,
  missing: number,
): { count: number; path: string } | null {
  let low = -1;
  let high = missing;
  let path: string | null = null;
  let next = missing - 1;
  while (next > low) {
    const found = real(next);
    if (found === null) high = next;
    else {
      low = next;
      path = found;
    }
    next = Math.floor((low + high) / 2);
  }
  return path === null ? null : { count: low, path };
}
