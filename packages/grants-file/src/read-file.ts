import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

export interface FileContent {
  stats: BigIntStats;
  /** none where the name turned out to be no file */
  bytes: Uint8Array;
}

/** Opening must not wait where the name turns out to be a pipe. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The content of a file, and what is known of the very file that it was read from. Synchronous: a ledger takes far longer
 * to parse than to read, and four turns of waiting for a thread would lengthen a save by a fifth, under the lock.
 */
export function readFileNow(path: string): FileContent {
  const file = openSync(path, READ_WITHOUT_WAITING);
  try {
    const stats = fstatSync(file, { bigint: true });
    return { stats, bytes: stats.isFile() ? readFileSync(file) : new Uint8Array() };
  } finally {
    closeSync(file);
  }
}
