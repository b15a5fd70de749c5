import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { systemCode } from "../storage-error.js";

/** Something under a name of the lock that is no file of the lock's: nobody's claim, and not ours to remove. */
export interface Obstacle {
  /** in words for people, as "a folder" */
  readonly what: string;
}

/** Many times what an owner takes. */
const MOST_BYTES = 4_096;
/** Opening must neither wait for a pipe's writer nor follow a link, should the file have become one since it was looked at. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Gone, or become a link or a socket, since it was looked at. */
const CHANGED: ReadonlySet<string | undefined> = new Set(["ENOENT", "ELOOP", "EMLINK", "ENXIO"]);
/** Of a file that may not be opened; on Windows also of one that is being removed, at the first look (`EPERM`). */
const REFUSED: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM"]);

/**
 * The text of one of the lock's files; null where there is none, or where it changed in between. Never waits and never
 * reads more than such a file can hold, whatever stands there. Throws what the system says where it may not be looked at,
 * since the folder may not be entered: whether there is a file is not known then.
 */
export function readLockFile(path: string): string | null | Obstacle {
  try {
    return obstacleIn(lstatSync(path)) ?? readSmallFile(path);
  } catch (error) {
    const code = systemCode(error);
    if (CHANGED.has(code)) return null;
    if (code === "EACCES" && (error as NodeJS.ErrnoException).syscall === "lstat") throw error;
    if (REFUSED.has(code)) return { what: "a file that this process may not read" };
    throw error;
  }
}

function readSmallFile(path: string): string | Obstacle {
  const file = openSync(path, READ);
  try {
    const obstacle = obstacleIn(fstatSync(file));
    if (obstacle !== null) return obstacle;
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function obstacleIn(stats: Stats): Obstacle | null {
  if (stats.isSymbolicLink()) return { what: "a symbolic link" };
  if (stats.isDirectory()) return { what: "a folder" };
  if (stats.isFIFO()) return { what: "a named pipe" };
  if (!stats.isFile()) return { what: "a device or socket" };
  return stats.size > MOST_BYTES ? { what: "a file that is too long" } : null;
}
