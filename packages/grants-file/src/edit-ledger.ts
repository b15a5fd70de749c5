import type { Grant } from "@x/permission-core";
import type { Ledger } from "./ledger.js";
import { parseEntry } from "./ledger-entry.js";

/**
 * The ledger with the grant of text `raw` in it: in the place of the first entry of that id, whole, else at the end.
 * Every other entry keeps its bytes.
 */
export function withGrant(ledger: Ledger, raw: string): Ledger {
  const added = parseEntry(raw, ",");
  const index = ledger.entries.findIndex((entry) => entry.grant.id === added.grant.id);
  const replaced = ledger.entries[index];
  if (replaced === undefined) return { ...ledger, entries: [...ledger.entries, added] };
  return { ...ledger, entries: ledger.entries.with(index, { ...added, before: replaced.before }) };
}

/** The ledger without any entry of that id, and the first of those; null where there is none. */
export function withoutGrant(ledger: Ledger, id: string): { ledger: Ledger; removed: Grant } | null {
  const removed = ledger.entries.find((entry) => entry.grant.id === id);
  if (removed === undefined) return null;
  const entries = ledger.entries.filter((entry) => entry.grant.id !== id);
  return { ledger: { ...ledger, entries }, removed: removed.grant };
}
