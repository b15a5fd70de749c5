import { resolve } from "node:path";
import {
  type GateEvent,
  type JsonValue,
  type OnReport,
  PermissionGateError,
  reportToConsole,
} from "@x/permission-core";
import { checkOption } from "../check-option.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import type { EngineObserver, ToolPostEvent, ToolPreEvent } from "../engine/observer.js";
import { appendLines } from "./append-lines.js";
import { BatchWriter } from "./batch-writer.js";
import { LEDGER_VERSION, type LedgerLine, lineText, recorded } from "./ledger-line.js";

export interface JsonlLedgerOptions {
  /** a path; relative ones are taken from where the process stands when the ledger is made */
  file: string;
  /** Records arguments and outputs too. They hold whatever secrets the tools handle. Default false. */
  includeInput?: boolean;
  /** default: `console.warn` */
  onReport?: OnReport;
}

/**
 * An observer that writes down every call, decision and result as a line of JSON ({@link LedgerLine}), in the order of
 * events. The file is only ever appended to, and is nobody else's to read: one that is more open than 0600 is tightened,
 * or refused where that fails. Several ledgers, also of several processes, may write to one file on one machine; empty
 * lines between theirs mean nothing. A line that is written survives the process, though not a power cut.
 *
 * Each method settles as its line's write does. A failed write is reported once, rejects with code `storage` to all who wait
 * for its lines, and those lines are lost; the next event tries again. After `close()` an event rejects with `closed`.
 */
export class JsonlLedger implements EngineObserver, AsyncDisposable {
  readonly #file: string;
  readonly #includeInput: boolean;
  readonly #onReport: OnReport;
  readonly #writer: BatchWriter;
  #isClosed = false;

  /** Touches nothing: the file is made with the first line. Throws `invalid_option`. */
  constructor({ file, includeInput = false, onReport = reportToConsole }: JsonlLedgerOptions) {
    checkOption(
      typeof file === "string" && file !== "" && !file.includes("\0"),
      "file",
      file,
      "the path of a file",
    );
    checkOption(typeof includeInput === "boolean", "includeInput", includeInput, "true or false");
    checkOption(typeof onReport === "function", "onReport", onReport, "a function");
    this.#file = resolve(file);
    this.#includeInput = includeInput;
    this.#onReport = onReport;
    this.#writer = new BatchWriter((lines) => this.#write(lines));
  }

  onToolPre(event: ToolPreEvent, call?: { input: JsonValue | undefined }): Promise<void> {
    const input = this.#includeInput && call !== undefined ? recorded("input", call.input) : undefined;
    return this.#append({ v: LEDGER_VERSION, type: "tool.call", ...event, ...input });
  }

  onGateDecision(event: GateEvent): Promise<void> {
    return this.#append({ v: LEDGER_VERSION, type: "gate.decision", ...event });
  }

  onToolPost(event: ToolPostEvent, call?: { result: ToolDispatchResult | null }): Promise<void> {
    const result = call?.result ?? null;
    const output = this.#includeInput && result !== null ? recorded("output", result.output) : undefined;
    return this.#append({ v: LEDGER_VERSION, type: "tool.result", ...event, ...output });
  }

  /** Resolves once every line so far is written; rejects with `storage` where one of those still waiting is not. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Flushes, and takes no more events. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #append(line: LedgerLine): Promise<void> {
    if (!this.#isClosed) return this.#writer.append(lineText(line));
    const message = `The ledger ${this.#file} is closed: a line of type ${line.type} was lost.`;
    this.#onReport({ level: "error", message });
    const refused = Promise.reject(new PermissionGateError("closed", message));
    // Reported already: nobody has to await an observer.
    refused.catch(() => {});
    return refused;
  }

  async #write(lines: readonly string[]): Promise<void> {
    try {
      await appendLines(this.#file, lines);
    } catch (cause) {
      const message = `The ledger ${this.#file} could not be written: ${lines.length} line(s) lost.`;
      this.#onReport({ level: "error", message, cause });
      throw new PermissionGateError("storage", message, { cause });
    }
  }
}
