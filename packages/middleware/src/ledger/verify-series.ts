import { CHAIN_BEGIN, type ChainHead, isSealedAfter, readSeal, type Seal } from "./chain.js";
import type { LedgerLine } from "./ledger-line.js";
import { type LedgerReading, LineReader } from "./line-reading.js";
import type { RawLine } from "./line-splitter.js";

/**
 * What is wrong at a line: `malformed` is no line of a ledger; `changed` is not as it was written; before `missing` there
 * were lines, or files, that are not there; `reordered` stands at another place than it was written, or twice, be it in the
 * files of another writer; `unchained` has no hash and should have one, or the reverse; after `truncated` an expected line
 * is not there; `unexpected` begins the files of a writer that none of the expected hashes is of.
 */
export interface LedgerProblem {
  kind: "malformed" | "changed" | "missing" | "reordered" | "unchained" | "truncated" | "unexpected";
  file: string;
  /** from 1 */
  line: number;
  message: string;
}

export interface LedgerPlace {
  file: string;
  /** from 1 */
  line: number;
}

/** What one writer's files hold, in the order in which they were read, as far as its first problem. */
export interface VerifiedSeries {
  files: string[];
  lines: number;
  /** the first thing that is wrong; nothing after it was looked at */
  problem: LedgerProblem | null;
  /** where writes were cut off; that is no sign of tampering */
  torn: LedgerPlace[];
  /** whether there is a chain, and from its first file on no file is without */
  isChained: boolean;
  /** what the first file says comes before it; null where it begins the chain, and without one */
  follows: { file: string; hash: string } | null;
  /** the hash of the last line; null without a chain */
  head: string | null;
}

/**
 * The first event of each chained file, by its hash. Each hash hangs on all that is before it in its file: files of two
 * writers that have any event in common have the first one in common.
 */
export type FirstEvents = Map<string, LedgerPlace>;

/** Verifies the files of one writer line by line. Holds one line at a time, whatever the files' size. */
export class SeriesVerifier {
  readonly result: VerifiedSeries = {
    files: [],
    lines: 0,
    problem: null,
    torn: [],
    isChained: false,
    follows: null,
    head: null,
  };
  readonly #expected: Set<string>;
  readonly #firstEvents: FirstEvents;
  #reader = new LineReader("");
  #head: ChainHead | null = null;
  /** of the file being read; null before its first line */
  #fileIsChained: boolean | null = null;
  #fileHasEvent = false;
  /** whether a line carries an expected hash */
  #isExpected = false;
  /** the number that the line at fault should have had: found later, it was moved */
  #missedSeq: number | null = null;

  /**
   * Takes out of `expected` each hash that a line carries, up to the first problem. `firstEvents` is shared by all writers of
   * a ledger, and added to.
   */
  constructor(expected: Set<string>, firstEvents: FirstEvents = new Map()) {
    this.#expected = expected;
    this.#firstEvents = firstEvents;
  }

  beginFile(file: string): void {
    this.result.files.push(file);
    this.#reader = new LineReader(file);
    this.#fileIsChained = null;
    this.#fileHasEvent = false;
  }

  line(raw: RawLine): void {
    if (this.result.problem === null) this.#take(this.#reader.read(raw));
    else this.#lookForMoved(raw);
  }

  endFile(): void {
    if (this.result.problem === null) this.#take(this.#reader.end());
  }

  /** Has a writer with lines that none of the expected hashes is of be a problem. After its last file. */
  refuseUnexpected(): void {
    const { files, lines, problem } = this.result;
    if (problem !== null || lines === 0 || this.#isExpected) return;
    const place = { file: files[0] ?? "", line: 1 };
    this.#fail(place, "unexpected", "begins the files of a writer that none of the expected hashes is of");
  }

  #take(readings: readonly LedgerReading[]): void {
    for (const reading of readings) {
      if (this.result.problem !== null) return;
      const { file, line } = reading;
      if (reading.kind === "torn") this.result.torn.push({ file, line });
      else if (reading.kind === "malformed") this.#fail(reading, "malformed", reading.message);
      else this.#check(reading, reading.value, reading.text);
    }
  }

  #check(place: LedgerPlace, value: LedgerLine, text: string): void {
    const seal = readSeal(text);
    const isFirst = this.#fileIsChained === null;
    this.#fileIsChained ??= seal !== null || value.type === "ledger.start";
    if ((seal !== null) !== this.#fileIsChained) {
      const what = seal === null ? "no hash, in a file with a chain" : "a hash, in a file without a chain";
      this.#fail(place, "unchained", `carries ${what}`);
      return;
    }
    if (seal !== null && !this.#isInChain(place, value, seal, isFirst)) return;
    if (seal === null && isFirst && this.result.isChained) {
      this.result.isChained = false;
      this.result.head = null;
      this.#fail(place, "unchained", "carries no hash, though a file with a chain comes before");
      return;
    }
    this.result.lines++;
  }

  #isInChain(place: LedgerPlace, value: LedgerLine, seal: Seal, isFirst: boolean): boolean {
    const start = value.type === "ledger.start" ? value : null;
    if (isFirst !== (start !== null)) {
      this.#fail(
        place,
        isFirst ? "missing" : "reordered",
        isFirst
          ? "the first line of the file is not there"
          : "the first line of a file, and not at its begin",
      );
      return false;
    }
    const before =
      start === null ? (this.#head ?? CHAIN_BEGIN).hash : (start.previous?.hash ?? CHAIN_BEGIN.hash);
    if (!isSealedAfter(before, seal)) {
      this.#blame(place, seal);
      return false;
    }
    if (start !== null && !this.#follows(place, start.previous)) return false;
    if (!value.type.startsWith("ledger.") && !this.#isFirstSeen(place, seal)) return false;
    this.#head = seal;
    if (this.#expected.delete(seal.hash)) this.#isExpected = true;
    this.result.isChained = true;
    this.result.head = seal.hash;
    return true;
  }

  /** Whether a file comes after the one that its first line names. */
  #follows(place: LedgerPlace, previous: { file: string; hash: string } | null): boolean {
    const isFirstFile = this.result.files.length === 1;
    if (isFirstFile) {
      this.result.follows = previous;
      return true;
    }
    if ((this.#head?.hash ?? null) === (previous?.hash ?? null)) return true;
    const message =
      previous === null
        ? "begins a chain, though another file comes before"
        : `comes after ${previous.file}, whose last hash is ${previous.hash}: that, or its end, is not before it`;
    this.#fail(place, "missing", message);
    return false;
  }

  /** False for the first event of a file that another file has too. Lines of the ledger itself may be alike by chance. */
  #isFirstSeen(place: LedgerPlace, { hash }: Seal): boolean {
    if (this.#fileHasEvent) return true;
    this.#fileHasEvent = true;
    const other = this.#firstEvents.get(hash);
    this.#firstEvents.set(hash, other ?? { file: place.file, line: place.line });
    if (other === undefined) return true;
    const message = `stands in ${other.file} too, at line ${other.line}: one of the files is a copy`;
    this.#fail(place, "reordered", message);
    return false;
  }

  #blame(place: LedgerPlace, seal: Seal): void {
    const expected = (this.#head?.seq ?? 0) + 1;
    const knows = this.#head !== null;
    if (!knows || seal.seq === expected) {
      this.#fail(place, "changed", "the line, or its hash, is not what was written here");
    } else if (seal.seq < expected) {
      this.#fail(
        place,
        "reordered",
        `is number ${seal.seq} of the chain, at the place of number ${expected}`,
      );
    } else {
      this.#missedSeq = expected;
      const message = `is number ${seal.seq} of the chain, at the place of number ${expected}: lines before it are not there`;
      this.#fail(place, "missing", message);
    }
  }

  /** A line that was missed and stands further down was not taken away, but moved. */
  #lookForMoved(raw: RawLine): void {
    const { problem } = this.result;
    if (this.#missedSeq === null || problem === null) return;
    if (readSeal(new TextDecoder().decode(raw.bytes))?.seq !== this.#missedSeq) return;
    problem.kind = "reordered";
    problem.message = problem.message.replace("are not there", "come later");
    this.#missedSeq = null;
  }

  #fail({ file, line }: LedgerPlace, kind: LedgerProblem["kind"], message: string): void {
    this.result.problem = { kind, file, line, message };
  }
}
