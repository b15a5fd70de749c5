import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Grant,
  type GrantQuery,
  type GrantStore,
  isolatedReport,
  type OnReport,
  projectIdentityFrom,
} from "@x/permission-core";
import type { GrantTexts } from "@x/permission-core/stores";
import { requireDelay, requirePath } from "./check-option.js";
import { nodeHost } from "./host.js";
import { LedgerStore } from "./ledger-store.js";
import { stateFolder } from "./state-folder.js";

export interface FileGrantStoreOptions {
  /** The project's folder, which need not exist yet. */
  projectDir: string;
  /** Where the ledgers of all projects lie. Default `$XDG_STATE_HOME/permission-gate/grants`, else under `~/.local/state`. */
  rootDir?: string;
  /** Told once of each stored grant that covers no call because of its number spellings. Default `console.warn`. */
  onReport?: OnReport;
  /**
   * Milliseconds that a write waits for another process's lock before it fails with `ledger_busy`. Default 10,000. 0 never
   * waits, `Infinity` always. A holder that died is not waited for.
   */
  lockTimeoutMs?: number;
}

const DEFAULT_LOCK_TIMEOUT_MS = 10_000;

/**
 * Grants in `<root>/projects/<16 hex>/grants.json`, one ledger for each project. Which project it is, is settled when the
 * store is made: creating, linking or moving the folder afterwards does not change the ledger of this object.
 *
 * Processes may share a ledger: each write holds `grants.json.lock` beside the file (beside the real file, where the ledger
 * is a link) while it reads, merges and writes, so no grant whose `save` was fulfilled is lost. The lock of a process that
 * died is taken over at once; that of one that runs is never, however old. On Linux a process is known by its number, start
 * time, boot and pid namespace. Elsewhere (macOS, Windows) it is known by its number and computer alone: where a dead
 * holder's number is in use again, or on Linux its lock came from another computer, boot or container, nothing says that
 * it died, and a write fails with `ledger_busy` after `lockTimeoutMs`, saying who holds the lock and what can be done.
 *
 * Rejects with code `ledger_damaged` (file, line and column in the message) where the ledger does not parse, and then
 * writes nothing; only `clear` goes on, which keeps the damaged file under another name and gives 0. Rejects with code
 * `storage` where the system refuses; the old ledger is then whole. `save` rejects what is no grant with `bad_record` or
 * `not_json`. The constructor throws `invalid_option` for an empty path or one that no system takes.
 */
export class FileGrantStore implements GrantStore, GrantTexts {
  /** 16 hex: the project's identity. */
  readonly projectId: string;
  /** The ledger's file, absolute. It exists once something was saved. */
  readonly ledgerPath: string;
  readonly #store: LedgerStore;

  constructor({
    projectDir,
    rootDir = stateFolder("grants"),
    onReport,
    lockTimeoutMs = DEFAULT_LOCK_TIMEOUT_MS,
  }: FileGrantStoreOptions) {
    requirePath("projectDir", projectDir);
    requirePath("rootDir", rootDir);
    requireDelay("lockTimeoutMs", lockTimeoutMs);
    const { id } = projectIdentityFrom(projectDir, { realPath: realpathSync.native, cwd: process.cwd() });
    this.projectId = id;
    this.ledgerPath = join(resolve(rootDir), "projects", id, "grants.json");
    this.#store = new LedgerStore(this.ledgerPath, nodeHost, isolatedReport(onReport), lockTimeoutMs);
  }

  /** All grants in the order in which they were saved, expired ones included. Takes no lock. */
  load(): Promise<Grant[]> {
    return this.#store.load();
  }

  /** The unexpired grants that cover a call. One `stat` where the ledger is unchanged since it was read. */
  find(query: GrantQuery): Promise<Grant[]> {
    return this.#store.find(query);
  }

  /** Saves, or replaces the first entry of the grant's id whole and in place. Other entries keep their bytes. */
  save(grant: Grant): Promise<Grant> {
    return this.#store.save(grant);
  }

  /** The text of every entry, also of one that is no grant. Takes no lock. See `GrantTexts`. */
  loadTexts(): Promise<string[]> {
    return this.#store.loadTexts();
  }

  /** Saves as `save` does, and keeps the text byte for byte, blanks around it aside. See `GrantTexts`. */
  saveText(text: string): Promise<Grant> {
    return this.#store.saveText(text);
  }

  /** Removes every entry of that id and gives the first; null, and nothing written, where there is none. */
  revoke(id: string): Promise<Grant | null> {
    return this.#store.revoke(id);
  }

  /** Removes the file and gives the number of entries. A ledger that is a symbolic link is emptied instead. */
  clear(): Promise<number> {
    return this.#store.clear();
  }
}
