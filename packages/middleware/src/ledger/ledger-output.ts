import { PermissionGateError } from "@x/permission-core";
import type { Claim } from "./claim.js";
import { claimLedger } from "./claim-ledger.js";
import { LEDGER_VERSION, lineText } from "./ledger-line.js";
import type { LedgerSettings } from "./ledger-options.js";
import { type Appended, SeriesWriter } from "./series-writer.js";

/** Writes batches of lines to the file it claims, and keeps count of what could not be written. */
export class LedgerOutput {
  readonly #settings: LedgerSettings;
  #open: { file: string; claim: Claim; series: SeriesWriter } | null = null;
  /** lines that could not be written, and of which no line tells yet */
  #lost = 0;
  /** since the failures began */
  #lostInARow = 0;
  #isFailing = false;

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
  }

  get file(): string {
    return this.#open?.file ?? this.#settings.file;
  }

  get head(): string | null {
    return this.#open?.series.head ?? null;
  }

  /** Writes the lines, after one that tells of those lost before. Rejects with `storage`. One call at a time. */
  async write(texts: readonly string[]): Promise<void> {
    const lost = this.#lost;
    const tells = lost > 0 || this.#isFailing;
    const { written, failure } = await this.#append(tells ? [this.#lostLine(lost), ...texts] : texts);
    if (tells && written > 0) this.#lost -= lost;
    if (failure === null) return this.#recovered();
    const lostNow = texts.length - Math.max(0, written - (tells ? 1 : 0));
    this.#count(lostNow);
    const message = `The ledger ${this.file} could not be written: ${lostNow} line(s) lost.`;
    this.#reportOnce(message, failure.cause);
    throw new PermissionGateError("storage", message, { cause: failure.cause });
  }

  /** Counts a line as lost that was never given to be written. `why` is said of the ledger. */
  drop(why: string, cause?: unknown): PermissionGateError {
    const message = `The ledger ${this.file} ${why}.`;
    this.#count(1);
    this.#reportOnce(message, cause);
    return new PermissionGateError("storage", message, cause === undefined ? undefined : { cause });
  }

  /** Gives the file up. Nothing may be written afterwards. */
  async release(): Promise<void> {
    await this.#open?.claim.release().catch((cause: unknown) => {
      const message = `The lock of the ledger ${this.file} could not be removed.`;
      this.#settings.onReport({ level: "warn", message, cause });
    });
  }

  async #append(texts: readonly string[]): Promise<Appended> {
    try {
      this.#open ??= await this.#claim();
    } catch (cause) {
      return { written: 0, failure: { cause } };
    }
    return this.#open.series.append(texts);
  }

  async #claim(): Promise<{ file: string; claim: Claim; series: SeriesWriter }> {
    const { file, claim } = await claimLedger(this.#settings.file);
    return { file, claim, series: new SeriesWriter(file, this.#settings) };
  }

  #lostLine(lines: number): string {
    return lineText({ v: LEDGER_VERSION, type: "ledger.lost", lines, ts: this.#settings.clock.now() });
  }

  #count(lost: number): void {
    this.#lost += lost;
    this.#lostInARow += lost;
  }

  #recovered(): void {
    if (!this.#isFailing || this.#lost > 0) return;
    this.#isFailing = false;
    const message = `The ledger ${this.file} is written again; ${this.#lostInARow} line(s) were lost, as it says.`;
    this.#lostInARow = 0;
    this.#settings.onReport({ level: "warn", message });
  }

  /** The begin of a time of failures, and no more of it. */
  #reportOnce(message: string, cause?: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#settings.onReport({ level: "error", message, ...(cause === undefined ? undefined : { cause }) });
  }
}
