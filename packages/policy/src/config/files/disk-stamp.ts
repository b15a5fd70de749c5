import { statSync } from "node:fs";

/** Which content a file on disk has, without reading it. */
export interface DiskStamp {
  /** device, inode, size, and times of content and of entry: a change of the file changes one of them, but see `changedAt` */
  readonly key: string;
  /** as `nodeWorkspace` makes the stamps of what it reads */
  readonly readerStamp: string;
  /** Unix time in milliseconds of the last change. Another one within the same tick of the clock may show in nothing here. */
  readonly changedAt: number;
}

/** null: there is no such file on disk, or it cannot be told. */
export function diskStamp(path: string): DiskStamp | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return null;
    const { dev, ino, size, mtimeNs, ctimeNs } = stats;
    const readerStamp = `${mtimeNs}-${size}-${ino}`;
    return { key: `${readerStamp}-${ctimeNs}-${dev}`, readerStamp, changedAt: Number(ctimeNs / 1_000_000n) };
  } catch {
    return null;
  }
}
