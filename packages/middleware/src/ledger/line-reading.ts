import { isPermissionGateError } from "@x/permission-core";
import type { LedgerLine, TornText } from "./ledger-line.js";
import type { RawLine } from "./line-splitter.js";
import { parseLedgerLine } from "./parse-line.js";
import { tornText } from "./torn-text.js";

/** A line of a file, or what stands in place of one. `line` counts from 1. */
export type LedgerReading =
  | { kind: "line"; file: string; line: number; value: LedgerLine; text: string }
  /** a write was cut off here, by a crash or a full disk; `isNamed`: the line after it says so */
  | { kind: "torn"; file: string; line: number; isNamed: boolean }
  /** no line of a ledger */
  | { kind: "malformed"; file: string; line: number; message: string };

type Parsed = { value: LedgerLine; text: string } | { message: string };

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Tells the lines of one file apart. What does not parse is held back until the next line has come: it was cut off where
 * that names its length and hash, and also where it ends the file without an end of line.
 */
export class LineReader {
  readonly #file: string;
  #line = 0;
  #held: { line: number; message: string; torn: TornText } | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  read(raw: RawLine): LedgerReading[] {
    const line = ++this.#line;
    const parsed = parse(raw.bytes);
    const readings: LedgerReading[] = [];
    const torn = "value" in parsed ? tornNamedBy(parsed.value) : null;
    if (this.#held !== null || torn !== null) readings.push(...this.#settle(torn, line));
    if ("value" in parsed) {
      readings.push({ kind: "line", file: this.#file, line, ...parsed });
    } else if (raw.isEnded) {
      this.#held = { line, message: parsed.message, torn: tornText(raw.bytes) };
    } else {
      readings.push({ kind: "torn", file: this.#file, line, isNamed: false });
    }
    return readings;
  }

  /** What is held back at the end of the file. */
  end(): LedgerReading[] {
    return this.#held === null ? [] : this.#settle(null, this.#line);
  }

  #settle(named: TornText | null, at: number): LedgerReading[] {
    const held = this.#held;
    this.#held = null;
    const file = this.#file;
    if (held === null) {
      const message = "names a line before it that was cut off, and is not there";
      return [{ kind: "malformed", file, line: at, message }];
    }
    const { line, message, torn } = held;
    return named !== null && named.bytes === torn.bytes && named.sha256 === torn.sha256
      ? [{ kind: "torn", file, line, isNamed: true }]
      : [{ kind: "malformed", file, line, message }];
  }
}

function parse(bytes: Uint8Array): Parsed {
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    return { message: "not UTF-8" };
  }
  try {
    return { value: parseLedgerLine(text), text };
  } catch (error) {
    if (isPermissionGateError(error)) return { message: error.message };
    throw error;
  }
}

function tornNamedBy(line: LedgerLine): TornText | null {
  return line.type === "ledger.torn" || line.type === "ledger.start" ? (line.torn ?? null) : null;
}
