import type { BigIntStats } from "node:fs";

/** Which content a name had: a change of the file or of what the name stands for changes one of these. */
export type FileStamp = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return (
    a.dev === b.dev &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  );
}

const FINE_TICK_MS = 100;
const COARSE_TICK_MS = 2_000;

/**
 * Whether a later change is sure to show in the stamp of a file read at `readAtMs` (Unix ms). Right after a change it is
 * not: a second one may fall into the same tick of the file system's clock, and reuse a freed inode for the same size.
 */
export function isSettled(stamp: FileStamp, readAtMs: number): boolean {
  const wholeSeconds = stamp.ctimeNs % 1_000_000_000n === 0n;
  return readAtMs - Number(stamp.ctimeNs / 1_000_000n) > (wholeSeconds ? COARSE_TICK_MS : FINE_TICK_MS);
}
