import { type GrantEntry, parseGrantEntry } from "@x/permission-core/stores";

export interface LedgerEntry extends GrantEntry {
  /** the bytes between the entry before and this one: a comma, perhaps blanks */
  readonly before: string;
  /** the length of `raw` in UTF-8 */
  readonly rawBytes: number;
}

/** Reads one entry of a ledger; throws as `parseGrantEntry` does where it is no grant. */
export function parseEntry(raw: string, before: string): LedgerEntry {
  return { before, rawBytes: Buffer.byteLength(raw), ...parseGrantEntry(raw) };
}
