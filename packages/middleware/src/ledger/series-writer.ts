import type { BigIntStats } from "node:fs";
import { type FileHandle, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Clock, OnReport } from "@x/permission-core";
import { CHAIN_BEGIN, type ChainHead, seal } from "./chain.js";
import { type ChainPosition, positionAfterParts, positionAt, rotatedParts } from "./chain-position.js";
import { LEDGER_VERSION, type LedgerLine, lineText, type TornText } from "./ledger-line.js";
import { fileOfPart } from "./ledger-names.js";
import { LineBatch } from "./line-batch.js";
import { openPrivateFile } from "./private-file.js";
import { syncFolder } from "./sync-folder.js";
import { readBegin, readTail, type Tail } from "./tail.js";
import { isWholeLine, tornText } from "./torn-text.js";

export interface SeriesOptions {
  chain: boolean;
  /** Infinity: never */
  maxBytes: number;
  /** Infinity: never */
  maxAgeMs: number;
  sync: "none" | "batch";
  clock: Clock;
  onReport: OnReport;
}

/** What a write came to: so many lines, the first ones, stand in the ledger whole, and the others do not. */
export interface Appended {
  written: number;
  failure: { cause: unknown } | null;
}

/** What this object left in the file that is being written. */
interface LeftFile {
  dev: bigint;
  ino: bigint;
  size: number;
  /** Unix ms of its first line */
  startedAt: number;
}

/** How much of the first line is read to find its time. In texts a quotation mark has a backslash before it. */
const BEGIN_BYTES = 65_536;
const FIRST_TIME = /"ts":(\d{1,16})/;

/**
 * Appends lines to one file, and to a next one where that is full. Whoever uses it has the claim to the file. The file is
 * opened for every batch and compared with what was left there, so that one that was moved away begins anew, and what
 * somebody else did to it is found.
 */
export class SeriesWriter {
  readonly #file: string;
  readonly #options: SeriesOptions;
  /** null: the file is looked at before the next write */
  #left: LeftFile | null = null;
  /** of the last line; null without a chain, and before its first line */
  #position: ChainPosition | null = null;

  constructor(file: string, options: SeriesOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** The hash of the last line; null without a chain, and before the first write. */
  get head(): string | null {
    return this.#position?.head.hash ?? null;
  }

  /** Writes whole lines in their order, as far as it gets. Never rejects. */
  async append(texts: readonly string[]): Promise<Appended> {
    const progress: Appended = { written: 0, failure: null };
    try {
      while (progress.written < texts.length) await this.#appendSome(texts, progress);
    } catch (cause) {
      this.#left = null;
      progress.failure = { cause };
    }
    return progress;
  }

  /** As many of the lines that are left as the file takes; at least one. */
  async #appendSome(texts: readonly string[], progress: Appended): Promise<void> {
    const { handle, left } = await this.#openWithRoom(texts[progress.written] as string);
    try {
      const isNew = left.size === 0;
      const batch = new LineBatch(this.#chainHead(), this.#options.maxBytes - left.size);
      if (isNew && this.#options.chain) batch.add(lineText(this.#startLine()), false);
      const started = batch.lines.length;
      for (let index = progress.written; index < texts.length; index++) {
        if (!batch.add(texts[index] as string, batch.lines.length > started)) break;
      }
      const { lines, failure } = await this.#write(handle, left, batch);
      progress.written += Math.max(0, lines - started);
      if (failure !== null) throw failure.cause;
      if (this.#options.sync === "batch") {
        await handle.datasync();
        if (isNew) await syncFolder(dirname(this.#file));
      }
    } finally {
      await handle.close();
    }
  }

  /** How many lines of the batch stand in the file. Part of one that failed is taken away again, where that can be. */
  async #write(
    handle: FileHandle,
    left: LeftFile,
    batch: LineBatch,
  ): Promise<{ lines: number; failure: Appended["failure"] }> {
    const bytes = batch.toBytes();
    let written = 0;
    let failure: Appended["failure"] = null;
    let whole = { lines: batch.lines.length, bytes: bytes.length };
    try {
      while (written < bytes.length) {
        written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
      }
    } catch (cause) {
      failure = { cause };
      whole = batch.wholeLinesIn(written);
      // Where it cannot be taken away, the next look at the file finds and names it.
      if (written > whole.bytes) await handle.truncate(left.size + whole.bytes).catch(() => {});
    }
    left.size += whole.bytes;
    const head = batch.headAfter(whole.lines);
    if (head !== null) this.#position = { file: basename(this.#file), head };
    return { lines: whole.lines, failure };
  }

  /** Opens the file, and rotates where it is full or `next` would make it so. */
  async #openWithRoom(next: string): Promise<{ handle: FileHandle; left: LeftFile }> {
    for (;;) {
      const handle = await openPrivateFile(this.#file);
      try {
        const left = await this.#look(handle);
        if (left !== null && !this.#isFull(left, next)) return { handle, left };
      } catch (error) {
        await handle.close();
        throw error;
      }
      await handle.close();
      await this.#rotate();
    }
  }

  #isFull(left: LeftFile, next: string): boolean {
    const { maxBytes, maxAgeMs, clock } = this.#options;
    if (left.size === 0) return false;
    if (clock.now() - left.startedAt >= maxAgeMs) return true;
    if (maxBytes === Number.POSITIVE_INFINITY) return false;
    const head = this.#chainHead();
    return left.size + Buffer.byteLength(head === null ? next : seal(next, head).text) + 1 > maxBytes;
  }

  /**
   * What is in the file, once a line that was cut off there is ended; null where the file cannot be gone on with, since it
   * has a chain and shall have none, or the reverse.
   */
  async #look(handle: FileHandle): Promise<LeftFile | null> {
    const { chain, clock } = this.#options;
    const stats = await handle.stat({ bigint: true });
    if (this.#left !== null && isAsLeft(stats, this.#left)) return this.#left;
    const size = Number(stats.size);
    const left: LeftFile = { dev: stats.dev, ino: stats.ino, size, startedAt: clock.now() };
    this.#left = left;
    if (size === 0) {
      if (chain) this.#position ??= await positionAfterParts(this.#file);
      return left;
    }
    const begin = await readBegin(handle, Math.min(size, BEGIN_BYTES));
    left.startedAt = Number(FIRST_TIME.exec(begin.toString("utf8"))?.[1] ?? left.startedAt);
    const tail = await readTail(handle, size);
    const position = positionAt(this.#file, tail);
    const isBegun = tail.last !== null || isWholeLine(tail.rest);
    if (isBegun && chain !== (position !== null)) {
      this.#report(`${chain ? "ends in a line without" : "has"} a chain, and is put aside`);
      return null;
    }
    if (chain) this.#position ??= position ?? (await positionAfterParts(this.#file));
    if (tail.rest.length > 0) await this.#endCutLine(handle, left, tail);
    return left;
  }

  /** What was cut off stays; the line after it names it. */
  async #endCutLine(handle: FileHandle, left: LeftFile, { last, rest }: Tail): Promise<void> {
    const batch = new LineBatch(this.#chainHead());
    batch.addEnd();
    if (!isWholeLine(rest)) {
      const torn = tornText(rest);
      this.#report(
        `ends in ${torn.bytes} bytes of a line that was cut off; they are kept, and named as such`,
      );
      const ts = this.#options.clock.now();
      const isStart = this.#options.chain && last === null;
      batch.add(
        lineText(isStart ? this.#startLine(torn) : { v: LEDGER_VERSION, type: "ledger.torn", torn, ts }),
      );
    }
    const { failure } = await this.#write(handle, left, batch);
    if (failure !== null) throw failure.cause;
  }

  #startLine(torn?: TornText): LedgerLine {
    const position = this.#position;
    return {
      v: LEDGER_VERSION,
      type: "ledger.start",
      previous: position === null ? null : { file: position.file, hash: position.head.hash },
      ...(torn === undefined ? undefined : { torn }),
      ts: this.#options.clock.now(),
    };
  }

  #chainHead(): ChainHead | null {
    return this.#options.chain ? (this.#position?.head ?? CHAIN_BEGIN) : null;
  }

  async #rotate(): Promise<void> {
    const last = (await rotatedParts(this.#file)).at(-1)?.part ?? 0;
    const part = fileOfPart(this.#file, last + 1);
    await rename(this.#file, part);
    this.#left = null;
    if (this.#position !== null) this.#position = { ...this.#position, file: basename(part) };
    if (this.#options.sync === "batch") await syncFolder(dirname(this.#file));
  }

  #report(what: string): void {
    this.#options.onReport({ level: "warn", message: `The ledger ${this.#file} ${what}.` });
  }
}

function isAsLeft({ dev, ino, size }: BigIntStats, left: LeftFile): boolean {
  return left.size > 0 && left.dev === dev && left.ino === ino && BigInt(left.size) === size;
}
