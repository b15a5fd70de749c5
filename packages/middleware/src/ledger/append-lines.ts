import type { FileHandle } from "node:fs/promises";
import { openPrivateFile } from "./private-file.js";

const NEWLINE = "\n".charCodeAt(0);

/**
 * Appends lines to a private file in one write. The file is opened each time, so that a ledger that was moved away by a
 * log rotation goes on in a new one. Where somebody who died left half a line behind, it is ended first.
 */
export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  const handle = await openPrivateFile(file);
  try {
    const start = (await endsWithinLine(handle)) ? "\n" : "";
    await writeWhole(handle, Buffer.from(`${start}${lines.join("\n")}\n`));
  } finally {
    await handle.close();
  }
}

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE;
}

/** One write, unless the system takes less than all of it. */
async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
  }
}
