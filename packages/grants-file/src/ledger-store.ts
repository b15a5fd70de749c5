import { dirname } from "node:path";
import {
  canonicalJson,
  displaySafe,
  type Grant,
  type GrantQuery,
  type GrantStore,
  isPermissionGateError,
  type OnReport,
  parseGrant,
} from "@x/permission-core";
import { type GrantTexts, grantText, parseGrantEntry } from "@x/permission-core/stores";
import { removeLedger, setLedgerAside } from "./clear-ledger.js";
import { withGrant, withoutGrant } from "./edit-ledger.js";
import type { Host } from "./host.js";
import { LedgerFile } from "./ledger-file.js";
import type { LedgerSnapshot } from "./ledger-snapshot.js";
import { findLedgerTarget, settledPath } from "./ledger-target.js";
import { LedgerLock, type LockTurn } from "./lock/ledger-lock.js";
import { syncFolder } from "./private-folder.js";
import { orStorageError } from "./storage-error.js";
import { Turns } from "./turns.js";

/** Writes by one name keep the order in which they were asked for; those by several names of one file then meet. */
const turnsByName = new Turns();
const turnsByFile = new Turns();

/**
 * The grants of one ledger file. Every write holds the file's lock and reads the file again first, so what others have
 * saved since stays, other processes included. Reading takes no lock. Everything taken or given is a copy.
 */
export class LedgerStore implements GrantStore, GrantTexts {
  readonly #file: LedgerFile;
  readonly #lock: LedgerLock;
  readonly #host: Host;
  readonly #onReport: OnReport;
  #latest: LedgerSnapshot | null = null;
  #reported: ReadonlySet<string> = new Set();

  constructor(ledgerPath: string, host: Host, onReport: OnReport, lockTimeoutMs: number) {
    this.#file = new LedgerFile(ledgerPath, host);
    this.#lock = new LedgerLock(host, lockTimeoutMs);
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
    await this.#put(grantText(kept));
    return kept;
  }

  async loadTexts(): Promise<string[]> {
    return orStorageError(`read the grant ledger ${this.#file.path}`, () => this.#file.texts());
  }

  async saveText(text: string): Promise<Grant> {
    const { grant, exact } = parseGrantEntry(text);
    // Half a character has no bytes: it would come back as another one.
    canonicalJson(text);
    await this.#put(text.trim());
    // Whoever reads the ledger is told of such a grant.
    if (!exact) await this.#read(() => this.#file.current());
    return grant;
  }

  async revoke(id: string): Promise<Grant | null> {
    return this.#inTurn(async (askedMs) => {
      const { ledger } = await this.#read(() => this.#file.reread());
      // Nothing to write: no lock is needed, and none could be made in a folder that is missing.
      if (withoutGrant(ledger, id) === null) return null;
      return this.#change(askedMs, (file) => this.#revokeFrom(file, id));
    });
  }

  /** A ledger that does not parse is kept under another name and counts as 0. */
  async clear(): Promise<number> {
    return this.#inTurn(async (askedMs) => {
      if (await this.#isMissing()) return 0;
      return this.#change(askedMs, () => this.#removeOrSetAside());
    });
  }

  #put(raw: string): Promise<void> {
    return this.#inTurn((askedMs) =>
      this.#change(askedMs, async (file) => {
        const { ledger } = await this.#read(() => this.#file.reread());
        await this.#file.replace(file, withGrant(ledger, raw));
      }),
    );
  }

  async #revokeFrom(file: string, id: string): Promise<Grant | null> {
    const { ledger } = await this.#read(() => this.#file.reread());
    const revocation = withoutGrant(ledger, id);
    if (revocation === null) return null;
    await this.#file.replace(file, revocation.ledger);
    return parseGrant(revocation.removed);
  }

  async #removeOrSetAside(): Promise<number> {
    let count: number;
    try {
      count = (await this.#read(() => this.#file.reread())).ledger.entries.length;
    } catch (error) {
      if (!isPermissionGateError(error, "ledger_damaged")) throw error;
      await setLedgerAside(this.#file.path, this.#host);
      return 0;
    }
    await removeLedger(this.#file.path, this.#host);
    return count;
  }

  async #isMissing(): Promise<boolean> {
    const find = () => findLedgerTarget(this.#file.path, this.#host.files);
    return (await orStorageError(`read the grant ledger ${this.#file.path}`, find)).kind === "missing";
  }

  #inTurn<Result>(work: (askedMs: number) => Promise<Result>): Promise<Result> {
    return turnsByName.take(this.#file.path, work);
  }

  /** Runs `work`, which gets the ledger's settled path, under the lock; what it changed then lasts. */
  async #change<Result>(askedMs: number, work: (file: string) => Promise<Result>): Promise<Result> {
    const { files } = this.#host;
    const settle = () => settledPath(this.#file.path, files);
    const file = await settle();
    const changed = await orStorageError(`write the grant ledger ${this.#file.path}`, () =>
      turnsByFile.take(file, async () => {
        const workInPlace = async ({ waited }: LockTurn) => {
          if (waited && (await settle()) !== file) return { kind: "moved" } as const;
          return { kind: "done", result: await work(file) } as const;
        };
        const held = await this.#lock.hold(file, workInPlace, askedMs);
        // Synced once the lock is gone, so that no power failure brings it back.
        if (held.kind === "done") await syncFolder(dirname(file), files);
        return held;
      }),
    );
    return changed.kind === "done" ? changed.result : this.#change(askedMs, work);
  }

  async #read(read: () => Promise<LedgerSnapshot>): Promise<LedgerSnapshot> {
    const snapshot = await orStorageError(`read the grant ledger ${this.#file.path}`, read);
    if (snapshot !== this.#latest) this.#reportInexact(snapshot);
    return snapshot;
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
