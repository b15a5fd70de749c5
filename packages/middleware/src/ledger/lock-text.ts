import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { readBegin } from "./tail.js";

/** Far more than an owner takes. */
const MOST_BYTES = 4_096;
/** A named pipe would wait for a writer, and a link may lead to anything. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** What a system says of something that is there and that this process cannot open, or that is no file. */
const NOT_FOR_US = new Set(["ELOOP", "EMLINK", "EISDIR", "ENXIO", "EACCES", "EPERM"]);

/**
 * The text of a lock file; null where nothing is there. Empty, and so nobody's claim, for whatever no ledger writes: a
 * folder, a link, a pipe, a device, a file that is too long or that cannot be opened.
 */
export async function readLockText(file: string): Promise<string | null> {
  let handle: FileHandle;
  try {
    handle = await open(file, READ);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (NOT_FOR_US.has(code)) return "";
    throw error;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > MOST_BYTES) return "";
    return (await readBegin(handle, MOST_BYTES)).toString("utf8");
  } finally {
    await handle.close();
  }
}
