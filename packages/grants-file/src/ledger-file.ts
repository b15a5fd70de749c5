import type { BigIntStats } from "node:fs";
import { PermissionGateError } from "@x/permission-core";
import { type FileStamp, isSettled, sameStamp } from "./file-stamp.js";
import type { Host } from "./host.js";
import { type Ledger, type LedgerDamage, readEntryTexts, readLedger } from "./ledger.js";
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
  async reread(): Promise<LedgerSnapshot> {
    const readAtMs = this.#host.clock.now();
    const content = await this.#content(MOST_LOOKS);
    if (content === null) return LedgerSnapshot.empty;
    const { stats, bytes } = content;
    this.#stamp = null;
    if (!this.#snapshot.holds(bytes)) this.#snapshot = this.#parse(bytes);
    if (isSettled(stats, readAtMs)) this.#stamp = stats;
    return this.#snapshot;
  }

  /** The text of every entry on disk, also of one that is no grant. Throws as `current` does where it is no array. */
  async texts(): Promise<string[]> {
    const content = await this.#content(MOST_LOOKS);
    if (content === null) return [];
    const reading = readEntryTexts(content.bytes);
    if (reading.kind === "damaged") throw damagedError(this.path, reading);
    return reading.texts;
  }

  /** Puts `ledger`, made from the one read last, in the place of `file`, the ledger's settled path, whole or not at all. */
  async replace(file: string, ledger: Ledger): Promise<void> {
    const snapshot = new LedgerSnapshot(ledger, ledgerBytes(ledger, this.#snapshot));
    await replaceFile(file, snapshot.bytes, this.#host);
    this.#stamp = null;
    this.#snapshot = snapshot;
  }

  /** What the name has now; null where it is missing. */
  async #content(looksLeft: number): Promise<FileContent | null> {
    const { readFile, files } = this.#host;
    let content: FileContent;
    try {
      content = readFile(this.path);
    } catch (error) {
      if (!LEADS_NOWHERE.has(systemCode(error)) || looksLeft === 0) throw error;
      const target = await findLedgerTarget(this.path, files);
      // Anything else came in between: look again.
      return target.kind === "missing" ? null : this.#content(looksLeft - 1);
    }
    requireFile(content.stats, this.path);
    return content;
  }

  #parse(bytes: Uint8Array): LedgerSnapshot {
    const reading = readLedger(bytes);
    if (reading.kind === "ledger") return new LedgerSnapshot(reading.ledger, bytes);
    throw damagedError(this.path, reading);
  }
}

function damagedError(path: string, { position: { line, column }, problem }: LedgerDamage) {
  return new PermissionGateError(
    "ledger_damaged",
    `the grant ledger ${path} is damaged at line ${line}, column ${column}: ${problem}`,
  );
}

function requireFile(stats: BigIntStats, path: string): void {
  if (!stats.isFile()) throw new PermissionGateError("storage", `the grant ledger ${path} is not a file`);
}
