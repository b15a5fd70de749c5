import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isOfLedger, sortLedgerFiles } from "./ledger-names.js";
import { type LedgerReading, LineReader } from "./line-reading.js";
import { rawLines } from "./raw-lines.js";

/**
 * The lines of files, in the order given, each with its place. What was cut off or is no line of a ledger is among them,
 * as `torn` and `malformed`. Rejects with `storage` where a file cannot be read. Hashes are not looked at.
 */
export async function* readLedger(files: string | readonly string[]): AsyncGenerator<LedgerReading, void> {
  for (const file of typeof files === "string" ? [files] : files) {
    const reader = new LineReader(file);
    for await (const lines of rawLines(file)) for (const line of lines) yield* reader.read(line);
    yield* reader.end();
  }
}

/** All files of a ledger, of every writer and with what was rotated away, in the order of writing. */
export async function ledgerFiles(file: string): Promise<string[]> {
  const folder = dirname(file);
  const names = await readdir(folder);
  const own = names.filter((name) => isOfLedger(basename(file), name));
  return sortLedgerFiles(own.map((name) => join(folder, name)));
}
