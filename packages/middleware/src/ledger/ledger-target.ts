import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * The file that `file` stands for: where a link leads, there or not, so that all who mean one file claim the same. Rejects
 * for what is there and is no regular file, before anything is made beside it.
 */
export async function ledgerTarget(file: string): Promise<string> {
  const stats = await lstat(file).catch(nullIfMissing);
  if (stats === null) return file;
  if (stats.isSymbolicLink()) {
    const target = await realpath(file).catch(nullIfMissing);
    return ledgerTarget(target ?? resolve(dirname(file), await readlink(file)));
  }
  if (!stats.isFile()) throw new Error(`not a regular file: ${file}`);
  return file;
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
