import {
  displaySafe,
  type Grant,
  type GrantQuery,
  type GrantStore,
  isPermissionGateError,
  type OnReport,
  parseGrant,
} from "@x/permission-core";
import { removeLedger, setLedgerAside } from "./clear-ledger.js";
import { withGrant, withoutGrant } from "./edit-ledger.js";
import { grantText } from "./grant-text.js";
import type { Host } from "./host.js";
import { LedgerFile } from "./ledger-file.js";
import type { LedgerSnapshot } from "./ledger-snapshot.js";
import { settledPath } from "./ledger-target.js";
import { orStorageError } from "./storage-error.js";
import { Turns } from "./turns.js";

/** Writes by one name keep the order in which they were asked for; those by several names of one file then meet. */
const turnsByName = new Turns();
const turnsByFile = new Turns();

/**
 * The grants of one ledger file. Every write reads the file again first, so what others have saved since stays. Everything
 * taken or given is a copy.
 */
export class LedgerStore implements GrantStore {
  readonly #file: LedgerFile;
  readonly #host: Host;
  readonly #onReport: OnReport;
  #latest: LedgerSnapshot | null = null;
  #reported: ReadonlySet<string> = new Set();

  constructor(ledgerPath: string, host: Host, onReport: OnReport) {
    this.#file = new LedgerFile(ledgerPath, host);
    this.#host = host;
    this.#onReport = onReport;
  }

  async load(): Promise<Grant[]> {
    const { ledger } = await this.#read(() => this.#file.current());
    return ledger.entries.map(({ grant }) => parseGrant(grant));
  }

  async find(query: GrantQuery): Promise<Grant[]> {
    const snapshot = await this.#read(() => this.#file.current());
    return snapshot.find(query).map(parseGrant);
  }

  async save(grant: Grant): Promise<Grant> {
    const kept = parseGrant(grant);
    const raw = grantText(kept);
    await this.#inTurn(async () => {
      const { ledger } = await this.#read(() => this.#file.reread());
      await this.#write(() => this.#file.replace(withGrant(ledger, raw)));
    });
    return kept;
  }

  async revoke(id: string): Promise<Grant | null> {
    return this.#inTurn(async () => {
      const { ledger } = await this.#read(() => this.#file.reread());
      const revocation = withoutGrant(ledger, id);
      if (revocation === null) return null;
      await this.#write(() => this.#file.replace(revocation.ledger));
      return parseGrant(revocation.removed);
    });
  }

  /** A ledger that does not parse is kept under another name and counts as 0. */
  async clear(): Promise<number> {
    return this.#inTurn(async () => {
      let count: number;
      try {
        count = (await this.#read(() => this.#file.reread())).ledger.entries.length;
      } catch (error) {
        if (!isPermissionGateError(error, "ledger_damaged")) throw error;
        await this.#write(() => setLedgerAside(this.#file.path, this.#host));
        return 0;
      }
      await this.#write(() => removeLedger(this.#file.path, this.#host));
      return count;
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return turnsByName.take(this.#file.path, async () =>
      turnsByFile.take(await settledPath(this.#file.path, this.#host.files), work),
    );
  }

  async #read(read: () => Promise<LedgerSnapshot>): Promise<LedgerSnapshot> {
    const snapshot = await orStorageError(`read the grant ledger ${this.#file.path}`, read);
    if (snapshot !== this.#latest) this.#reportInexact(snapshot);
    return snapshot;
  }

  #write(write: () => Promise<void>): Promise<void> {
    return orStorageError(`write the grant ledger ${this.#file.path}`, write);
  }

  /** Once for each entry, for as long as it stays in the ledger. */
  #reportInexact(snapshot: LedgerSnapshot): void {
    const inexact = snapshot.ledger.entries.filter((entry) => !entry.exact);
    const reported = this.#reported;
    this.#latest = snapshot;
    this.#reported = new Set(inexact.map((entry) => entry.raw));
    for (const { raw, grant } of inexact) {
      if (reported.has(raw)) continue;
      const subject = `the grant ledger ${this.#file.path}: grant ${displaySafe(grant.id).text}`;
      const message = `${subject} covers no call, since JavaScript spells numbers in its arguments differently`;
      this.#onReport({ level: "warn", message });
    }
  }
}
