import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Reading too, to see how the last line ends; without blocking, since a named pipe would wait for a reader. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | (constants.O_NONBLOCK ?? 0);

/**
 * Opens `file` for appending, and makes it and the folders above it where they are missing. The file is 0600 from its first
 * byte and new folders are 0700, whatever the umask. An existing file that others may read or write is tightened to 0600;
 * folders that exist keep their modes. A symbolic link is followed.
 *
 * Rejects for anything but a regular file, and with the system's error.
 */
export async function openPrivateFile(file: string): Promise<FileHandle> {
  const handle = await open(file, APPEND, PRIVATE_FILE).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    await makePrivateFolder(dirname(file));
    return open(file, APPEND, PRIVATE_FILE);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`not a regular file: ${file}`);
    if ((stats.mode & 0o777) !== PRIVATE_FILE) await handle.chmod(PRIVATE_FILE);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Folder by folder: a umask can take away from `mkdir` what its owner needs to go on. */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, PRIVATE_FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(folder) === folder) throw error;
    await makePrivateFolder(dirname(folder));
    return makePrivateFolder(folder);
  }
  await chmod(folder, PRIVATE_FOLDER);
}
