import { closeSync, fchmodSync, linkSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { systemCode } from "../storage-error.js";
import { type Obstacle, readLockFile } from "./read-lock-file.js";

/** The file operations of the lock. To other processes, each but `create` happens at once or not at all. */
export interface LockFiles {
  /** Makes a file that nobody else uses yet. Leaves none where it fails, and whatever has the name already as it is. */
  create(path: string, text: string): Promise<void>;
  /** null: there is no such file. */
  read(path: string): Promise<string | null | Obstacle>;
  /** Gives the file a second name. false: somebody has that name. */
  link(path: string, name: string): Promise<boolean>;
  /** A missing file is as good as removed. */
  remove(path: string): Promise<void>;
}

const OWNER_READS_AND_WRITES = 0o600;

/**
 * Synchronous underneath: each is a few microseconds for a file of some hundred bytes, where waiting for a thread costs
 * ten times that and would double the time of a save. Nothing is synced to disk: after a power failure the owners are
 * gone as well.
 */
export const nodeLockFiles: LockFiles = {
  async create(path, text) {
    const file = openSync(path, "wx", OWNER_READS_AND_WRITES);
    try {
      // The umask may have taken bits away that the owner needs.
      fchmodSync(file, OWNER_READS_AND_WRITES);
      writeFileSync(file, text);
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(file);
    }
  },
  read: async (path) => readLockFile(path),
  link: async (path, name) =>
    unlessCode("EEXIST", false, () => {
      linkSync(path, name);
      return true;
    }),
  remove: async (path) => unlessCode("ENOENT", undefined, () => unlinkSync(path)),
};

function unlessCode<Value>(code: string, otherwise: Value, operation: () => Value): Value {
  try {
    return operation();
  } catch (error) {
    if (systemCode(error) === code) return otherwise;
    throw error;
  }
}
