import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Host } from "./host.js";
import { systemCode } from "./storage-error.js";

const OWNER_READS_AND_WRITES = 0o600;

/** Waits between attempts to rename, 1.27 s together: as long as scanners and editors commonly hold a file. */
const RENAME_DELAYS_MS = [10, 20, 40, 80, 160, 320, 640];
const HELD_BY_ANOTHER: ReadonlySet<string | undefined> = new Set(["EPERM", "EBUSY", "EACCES"]);

/**
 * Puts `bytes` in the place of the file `target`, whole or not at all: a new file beside it, synced, renamed over it. The
 * new file is 0600 from its first byte whatever the umask, and is removed where anything fails. Other hard links to the
 * old file keep the old content. `target` must be no symbolic link, since that would be replaced itself. The change lasts
 * through a power failure once the folder is synced, which is left to the caller.
 */
export async function replaceFile(target: string, bytes: Uint8Array, host: Host): Promise<void> {
  const { files } = host;
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(16).toString("hex")}.tmp`);
  const handle = await files.open(temporary, "wx", OWNER_READS_AND_WRITES);
  try {
    try {
      // The umask may have taken bits away that the owner needs. It adds none, so that writing need not wait.
      await Promise.all([handle.chmod(OWNER_READS_AND_WRITES), handle.writeFile(bytes)]);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renamePatiently(temporary, target, host);
  } catch (error) {
    // The first failure is the one to tell.
    await files.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Windows refuses to rename over a file that somebody holds open; that passes. */
export async function renamePatiently(from: string, to: string, { files, clock }: Host): Promise<void> {
  for (const delayMs of RENAME_DELAYS_MS) {
    try {
      return await files.rename(from, to);
    } catch (error) {
      if (!HELD_BY_ANOTHER.has(systemCode(error))) throw error;
    }
    await new Promise<void>((resolve) => clock.setTimer(resolve, delayMs));
  }
  await files.rename(from, to);
}
