import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/**
 * Where `path` really leads, symbolic links followed, if that is `root` or inside it; else null. `root` is a real path, and
 * a relative `path` is taken from it. What does not exist yet is judged by the folder that it would come to be in. A
 * link that leads nowhere, or in circles, is not inside.
 *
 * The checks and the tools both use this, and the tools open what it gives. Whoever can change folders of the project
 * between the two (an approved shell command that is still running) could still lead a tool astray.
 */
export function placeInside(root: string, path: string): string | null {
  if (path.includes("\0")) return null;
  const place = realPlace(resolve(root, path));
  if (place === null) return null;
  const way = relative(root, place);
  return way === ".." || way.startsWith(`..${sep}`) ? null : place;
}

function realPlace(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (exists(path)) return null;
    const parent = dirname(path) === path ? null : realPlace(dirname(path));
    return parent === null ? null : join(parent, basename(path));
  }
}

/** Also of a link that leads nowhere, and of what may not be looked at. */
function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
