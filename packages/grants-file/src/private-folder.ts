import { dirname } from "node:path";
import type { FileSystem } from "./host.js";
import { systemCode } from "./storage-error.js";

const OWNER_ONLY = 0o700;

/**
 * Makes the folder and those above it that are missing, each 0700 whatever the umask and safe on disk. Folders that
 * exist keep their mode: they may be shared on purpose.
 */
export async function ensurePrivateFolder(folder: string, files: FileSystem): Promise<void> {
  try {
    await makeFolder(folder, files);
  } catch (error) {
    const parent = dirname(folder);
    if (systemCode(error) !== "ENOENT" || parent === folder) throw error;
    await ensurePrivateFolder(parent, files);
    await makeFolder(folder, files);
  }
}

async function makeFolder(folder: string, files: FileSystem): Promise<void> {
  try {
    await files.mkdir(folder, OWNER_ONLY);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return;
    throw error;
  }
  // The umask may have taken bits away that the owner needs.
  await files.chmod(folder, OWNER_ONLY);
  await syncFolder(dirname(folder), files);
}

/** Makes the names in a folder last through a power failure. Windows has no such call and needs none. */
export async function syncFolder(folder: string, files: FileSystem): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await files.open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
