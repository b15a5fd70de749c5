import { entryOf, type PlacedEntry, parseRecord } from "./ledger-record.js";

/** Records that are kept at once. */
const MOST_KEPT = 1_000;
/** Characters of a record that is kept. Longer ones are rare, and are read anew. */
const LONGEST_KEPT = 10_000;

/**
 * What records say, read once for each: reading one takes longer than getting it. The same text always says the same, so
 * nothing here can be out of date.
 */
export class KnownRecords {
  readonly #entries = new Map<string, PlacedEntry>();

  /** The entry of a record; throws `LedgerDamage`. The very object that others get: to be copied before it is given away. */
  read(value: unknown): PlacedEntry {
    const record = String(value);
    const known = this.#entries.get(record);
    if (known !== undefined) return known;
    const entry = entryOf(parseRecord(record));
    if (record.length > LONGEST_KEPT) return entry;
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= MOST_KEPT && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(record, entry);
    return entry;
  }
}
