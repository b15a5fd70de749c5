import { resolve } from "node:path";
import { type ClaimStore, type Clock, systemClock } from "@x/permission-core";
import { requireClaim } from "@x/permission-core/stores";
import { requireDelay, requirePath } from "../check-option.js";
import { nodeHost } from "../host.js";
import { stateFolder } from "../state-folder.js";
import { ClaimFolder } from "./claim-folder.js";

export interface FileClaimStoreOptions {
  /** Where the claims lie, for whoever is to share them. Default `$XDG_STATE_HOME/permission-gate/claims`, else under `~/.local/state`. */
  folder?: string;
  /** Says when a claim ends. Default the system's; all that share a folder must have one time. */
  clock?: Clock;
  /**
   * Milliseconds that a claim whose key was claimed before waits for another process's lock, before it fails with
   * `ledger_busy`. Default 10,000. A first claim waits for nobody, and a holder that died is not waited for.
   */
  lockTimeoutMs?: number;
}

const DEFAULT_LOCK_TIMEOUT_MS = 10_000;

/**
 * Claims in files: single use across the processes of one computer, whichever of them is killed, and through a power
 * failure. The folder is private to its user. Files of claims that are over are removed by claims: some of them by a store's
 * first, all about once a minute.
 */
export class FileClaimStore implements ClaimStore {
  /** Absolute. */
  readonly folder: string;
  readonly #claims: ClaimFolder;

  /** Throws code `invalid_option`. */
  constructor(options: FileClaimStoreOptions = {}) {
    const { folder = stateFolder("claims"), clock = systemClock } = options;
    const { lockTimeoutMs = DEFAULT_LOCK_TIMEOUT_MS } = options;
    requirePath("folder", folder);
    requireDelay("lockTimeoutMs", lockTimeoutMs);
    this.folder = resolve(folder);
    this.#claims = new ClaimFolder(this.folder, nodeHost, clock, lockTimeoutMs);
  }

  /**
   * True for the first claim of `key`, and again `ttlMs` milliseconds after one that was true, a minute later where its process
   * was killed before it was told. A claim whose time is over before it could be told is made anew, so `ttlMs` must be longer
   * than a write takes. Rejects with code `storage` where the system refuses, the claim's file is damaged or
   * something else lies in its place, with `ledger_busy` where another process holds the lock.
   */
  async claim(key: string, options: { ttlMs: number }): Promise<boolean> {
    return this.#claims.claim(key, requireClaim(key, options));
  }
}
