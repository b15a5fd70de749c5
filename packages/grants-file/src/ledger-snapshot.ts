import { type Grant, GrantIndex, type GrantQuery } from "@x/permission-core";
import { EMPTY_LEDGER, type Ledger, ledgerText } from "./ledger.js";

/** A ledger as it was on disk at one time. */
export class LedgerSnapshot {
  /** What a missing file counts as. */
  static readonly empty = new LedgerSnapshot(EMPTY_LEDGER, Buffer.from(ledgerText(EMPTY_LEDGER)));

  readonly ledger: Ledger;
  readonly bytes: Uint8Array;
  #index: GrantIndex | null = null;

  constructor(ledger: Ledger, bytes: Uint8Array) {
    this.ledger = ledger;
    this.bytes = bytes;
  }

  holds(bytes: Uint8Array): boolean {
    return Buffer.compare(this.bytes, bytes) === 0;
  }

  /** The snapshot's own objects, not copies. */
  find(query: GrantQuery): Grant[] {
    this.#index ??= indexOf(this.ledger);
    return this.#index.find(query);
  }
}

function indexOf({ entries }: Ledger): GrantIndex {
  const index = new GrantIndex();
  for (const { grant, exact } of entries) index.add(grant, { coversNothing: !exact });
  return index;
}
