import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { PermissionGateError, type WorkspaceReader } from "@x/permission-core";

/** What is otherwise than the host and the file system say. */
export interface NodeWorkspaceOptions {
  /** default the user's; empty: there is none */
  readonly home?: string;
  /** default: what the root's file system does, and true on Windows and macOS whatever it does */
  readonly caseInsensitive?: boolean;
  /** files of more bytes are not read; default 1 MiB */
  readonly maxBytes?: number;
}

const MEBIBYTE = 1_048_576;

/**
 * The file system below `root`, which is resolved against the working folder once. Links are followed as the system does it,
 * `..` behind a link included.
 *
 * `realPath` gives null for what does not exist, and throws where a link is broken or loops, a folder may not be looked into, or
 * the path is none that the system takes. `readText` reads regular files alone, as UTF-8; its stamp is made of modification time,
 * size and inode. It throws with code `storage` for anything else that is there, and for a file that is too large.
 */
export function nodeWorkspace(root: string, options: NodeWorkspaceOptions = {}): WorkspaceReader {
  const { home = homedir(), maxBytes = MEBIBYTE } = options;
  const absolute = resolve(root);
  const platform = process.platform === "win32" ? "win32" : "posix";
  return {
    root: absolute,
    ...(home === "" ? {} : { home }),
    platform,
    caseInsensitive: options.caseInsensitive ?? isCaseInsensitive(absolute),
    realPath: (path) => realPath(below(absolute, path)),
    readText: (path) => readText(below(absolute, path), maxBytes),
  };
}

/** Not folded: `..` is the system's to follow. */
function below(root: string, path: string): string {
  return isAbsolute(path) ? path : `${root}/${path}`;
}

/** Looks first, since the system's word for what is missing is slow to come, and the same for a link that leads nowhere. */
function realPath(path: string): string | null {
  let isThere = false;
  try {
    isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    return isThere ? realpathSync.native(path) : null;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    if (!isThere) return null;
    throw new PermissionGateError("storage", `a link leads nowhere: ${path}`, { cause });
  }
}

function readText(path: string, maxBytes: number): { text: string; stamp: string } | null {
  const file = open(path);
  if (file === null) return null;
  try {
    const stats = fstatSync(file, { bigint: true });
    const { ino, mtimeNs, size } = stats;
    if (!stats.isFile()) throw new PermissionGateError("storage", `not a regular file: ${path}`);
    if (size > BigInt(maxBytes))
      throw new PermissionGateError("storage", `larger than ${maxBytes} bytes: ${path}`);
    return { text: readFileSync(file, "utf8"), stamp: `${mtimeNs}-${size}-${ino}` };
  } finally {
    closeSync(file);
  }
}

/** Without waiting for a writer where a named pipe stands. */
function open(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw new PermissionGateError("storage", `cannot be read: ${path}`, { cause });
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Whether the root is the same folder under another case of its name. */
function isCaseInsensitive(root: string): boolean {
  if (process.platform === "win32" || process.platform === "darwin") return true;
  const swapped = root.replace(/\p{L}/gu, (letter) => {
    const upper = letter.toUpperCase();
    return upper === letter ? letter.toLowerCase() : upper;
  });
  if (swapped === root) return false;
  try {
    const [one, other] = [statSync(root), statSync(swapped)];
    return one.ino === other.ino && one.dev === other.dev;
  } catch {
    return false;
  }
}
