import type { BigIntStats } from "node:fs";
import { PermissionGateError } from "@x/permission-core";
import { type FileStamp, isSettled, sameStamp } from "./file-stamp.js";
import type { Host } from "./host.js";
import { type Ledger, readLedger } from "./ledger.js";
import { ledgerBytes } from "./ledger-bytes.js";
import { LedgerSnapshot } from "./ledger-snapshot.js";
import { findLedgerTarget } from "./ledger-target.js";
import type { FileContent } from "./read-file.js";
import { replaceFile } from "./replace-file.js";
import { systemCode } from "./storage-error.js";

/** What opening a symbolic link gives that leads to no file, or, the first, that nothing has the name. */
const LEADS_NOWHERE: ReadonlySet<string | undefined> = new Set(["ENOENT", "ELOOP"]);
/** How often a name may be found to lead to a file that then cannot be opened. */
const MOST_LOOKS = 16;

/** The ledger under one name: reads it, with what was parsed last kept for as long as the file stays the same. */
export class LedgerFile {
  readonly path: string;
  readonly #host: Host;
  #snapshot = LedgerSnapshot.empty;
  /** of the file that `#snapshot` came from; null while it cannot vouch for it */
  #stamp: FileStamp | null = null;

  constructor(path: string, host: Host) {
    this.path = path;
    this.#host = host;
  }

  /** The ledger on disk, by one `stat` where it is unchanged. Throws code `ledger_damaged`, or the system's error. */
  async current(): Promise<LedgerSnapshot> {
    try {
      const stats = await this.#host.files.stat(this.path, { bigint: true });
      requireFile(stats, this.path);
      if (this.#stamp !== null && sameStamp(this.#stamp, stats)) return this.#snapshot;
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    return this.reread();
  }

  /** The ledger on disk, its bytes read now whatever its stamp says. A missing file is an empty ledger. */
  reread(): Promise<LedgerSnapshot> {
    return this.#reread(MOST_LOOKS);
  }

  async #reread(looksLeft: number): Promise<LedgerSnapshot> {
    const { readFile, files, clock } = this.#host;
    const readAtMs = clock.now();
    let content: FileContent;
    try {
      content = readFile(this.path);
    } catch (error) {
      if (!LEADS_NOWHERE.has(systemCode(error)) || looksLeft === 0) throw error;
      const target = await findLedgerTarget(this.path, files);
      // Anything else came in between: look again.
      return target.kind === "missing" ? LedgerSnapshot.empty : this.#reread(looksLeft - 1);
    }
    const { stats, bytes } = content;
    requireFile(stats, this.path);
    this.#stamp = null;
    if (!this.#snapshot.holds(bytes)) this.#snapshot = this.#parse(bytes);
    if (isSettled(stats, readAtMs)) this.#stamp = stats;
    return this.#snapshot;
  }

  /** Puts `ledger`, made from the one read last, in the place of `file`, the ledger's settled path, whole or not at all. */
  async replace(file: string, ledger: Ledger): Promise<void> {
    const snapshot = new LedgerSnapshot(ledger, ledgerBytes(ledger, this.#snapshot));
    await replaceFile(file, snapshot.bytes, this.#host);
    this.#stamp = null;
    this.#snapshot = snapshot;
  }

  #parse(bytes: Uint8Array): LedgerSnapshot {
    const reading = readLedger(bytes);
    if (reading.kind === "ledger") return new LedgerSnapshot(reading.ledger, bytes);
    const { line, column } = reading.position;
    throw new PermissionGateError(
      "ledger_damaged",
      `the grant ledger ${this.path} is damaged at line ${line}, column ${column}: ${reading.problem}`,
    );
  }
}

function requireFile(stats: BigIntStats, path: string): void {
  if (!stats.isFile()) throw new PermissionGateError("storage", `the grant ledger ${path} is not a file`);
}
