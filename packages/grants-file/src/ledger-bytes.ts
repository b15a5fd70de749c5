import { type Ledger, ledgerText } from "./ledger.js";
import type { LedgerEntry } from "./ledger-entry.js";

/**
 * The bytes of `ledger`. What it shares with `earlier`, entry for entry at its beginning and end, is copied from that
 * one's `bytes`: joining and encoding a thousand entries again takes half as long as writing them to disk.
 */
export function ledgerBytes(ledger: Ledger, earlier: { ledger: Ledger; bytes: Uint8Array }): Uint8Array {
  if (ledger.head !== earlier.ledger.head || ledger.tail !== earlier.ledger.tail) {
    return Buffer.from(ledgerText(ledger));
  }
  const [now, before] = [ledger.entries, earlier.ledger.entries];
  const shorter = Math.min(now.length, before.length);
  let first = 0;
  while (first < shorter && now[first] === before[first]) first += 1;
  // What leads an entry is written unless it is the first: one that became the first, or was it, is not the same text.
  let last = 0;
  while (last < shorter - Math.max(first, 1) && now.at(-1 - last) === before.at(-1 - last)) last += 1;
  const middle = now.slice(first, now.length - last);
  const text = middle
    .map(({ before: lead, raw }, index) => (first + index === 0 ? raw : lead + raw))
    .join("");
  const start = ledger.head.length + sizeOf(before.slice(0, first), 0);
  const end = start + sizeOf(before.slice(first, before.length - last), first);
  return Buffer.concat([earlier.bytes.subarray(0, start), Buffer.from(text), earlier.bytes.subarray(end)]);
}

/** Bytes of entries that lie together from index `from` on. Between entries there are commas and blanks, all of one byte. */
function sizeOf(entries: readonly LedgerEntry[], from: number): number {
  return entries.reduce(
    (sum, { before, rawBytes }, index) => sum + (from + index === 0 ? 0 : before.length) + rawBytes,
    0,
  );
}
