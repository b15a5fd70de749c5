import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { MAX_BYTES } from "./config-file.js";

/** Reads a text file; null where there is none. Throws where it cannot be read. */
export type ReadFileText = (path: string) => string | null;

/** Not to wait for a writer, where the path is a named pipe. Windows has no such flag, and no such files. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The text of an ordinary file, read up to a little more than the limit of permission files. A link that leads nowhere, a
 * folder, a device, a pipe: throws.
 */
export const readFileText: ReadFileText = (path) => {
  const descriptor = openExisting(path);
  if (descriptor === null) return null;
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error("it is no ordinary file");
    const bytes = Buffer.allocUnsafe(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      length += read;
      if (read === 0 || length === bytes.length) return bytes.toString("utf8", 0, length);
    }
  } finally {
    closeSync(descriptor);
  }
};

function openExisting(path: string): number | null {
  try {
    return openSync(path, READ_AT_ONCE);
  } catch (error) {
    const code = codeOf(error);
    const isLink = () => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    if (code === "ENOTDIR" || (code === "ENOENT" && !isLink())) return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
