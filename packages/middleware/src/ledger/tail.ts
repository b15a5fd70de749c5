import type { FileHandle } from "node:fs/promises";

const NEWLINE = "\n".charCodeAt(0);
const FIRST_READ = 65_536;

/** How a file ends. */
export interface Tail {
  /** the last line that has its end; null where there is none */
  last: string | null;
  /** what stands behind the last end of a line */
  rest: Buffer;
}

/** Reads the end of a file of `size` bytes, as much of it as its last line takes. */
export async function readTail(handle: FileHandle, size: number): Promise<Tail> {
  for (let length = FIRST_READ; ; length *= 4) {
    const start = Math.max(0, size - length);
    const bytes = await readAt(handle, start, size - start);
    const end = bytes.lastIndexOf(NEWLINE);
    const before = end > 0 ? bytes.lastIndexOf(NEWLINE, end - 1) : -1;
    if (start > 0 && before === -1) continue;
    const last = end === -1 ? null : bytes.toString("utf8", before + 1, end);
    return { last, rest: bytes.subarray(end + 1) };
  }
}

/** The first bytes of a file, at most `length`. */
export function readBegin(handle: FileHandle, length: number): Promise<Buffer> {
  return readAt(handle, 0, length);
}

async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, start + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}
