import { resolve } from "node:path";
import {
  type GateEvent,
  type GrantStore,
  type JsonValue,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import type { ToolDispatchResult } from "../dispatch-result.js";
import type { EngineObserver, ToolPostEvent, ToolPreEvent } from "../engine/observer.js";
import { HookAction, type PreToolUseEvent, type PreToolUseHook } from "../hooks/hook.js";
import { BatchWriter } from "./batch-writer.js";
import { askLine, decisionLine, grantLine } from "./event-lines.js";
import { LEDGER_VERSION, type LedgerLine, lineText } from "./ledger-line.js";
import { type JsonlLedgerOptions, type LedgerSettings, ledgerSettings } from "./ledger-options.js";
import { LedgerOutput } from "./ledger-output.js";
import { readFields } from "./line-schema.js";
import { OpenBegins } from "./open-begins.js";
import { isPlainlyReadable } from "./plainly-readable.js";
import { RecordingGrantStore } from "./recording-grant-store.js";
import { Redaction } from "./redaction.js";
import { wholeMs } from "./whole-ms.js";

/** What the model reads of a call that is not on record. */
const NOT_ON_RECORD = "the audit ledger cannot be written, and no call runs without a record";
const NOT_ANNOUNCED =
  "the audit ledger was not told of this call, and no call runs without a record: it must be one of the engine's observers";

/**
 * An observer that writes down every call, question, decision and result as a line of JSON ({@link LedgerLine}), in the
 * order of events. The file is only ever appended to, and is nobody else's to read: one that is more open than 0600 is
 * tightened, or refused where that fails. A file has one writer: where another ledger that lives, of this process or
 * another, has it, this one writes `ledger.w2.jsonl` and so on, as `file` tells. A line that is written survives the
 * process, and with `sync: "batch"` a power cut.
 *
 * Each method settles as its line's write does. A failed write rejects with code `storage` to all who wait for its lines,
 * and those lines are lost: the next event tries again, and the first line then says how many. The begin and the end of
 * such a time are reported. After `close()` an event rejects with `closed`.
 *
 * With `auditRequired`, and as one of the engine's hooks as well as its observers, it denies every call whose begin cannot
 * be written, or was never announced to it. Each such call is itself the attempt that ends the denials. Calls of one session
 * that share turn and call id are told apart by nothing that a hook sees: all wait for the begins of all, and are denied where
 * one is lost, until the call with that begin has ended.
 */
export class JsonlLedger implements EngineObserver, PreToolUseHook, AsyncDisposable {
  /** the `rule_id` of its denials */
  readonly name = "audit";
  readonly #settings: LedgerSettings;
  readonly #redaction: Redaction;
  readonly #output: LedgerOutput;
  readonly #writer: BatchWriter;
  /** where an audit is required */
  readonly #begins = new OpenBegins();
  #isClosed = false;
  /** settles once the file is given up; null before `close()` */
  #released: Promise<void> | null = null;

  /** Touches nothing: the file is made with the first line. Throws `invalid_option`. */
  constructor(options: JsonlLedgerOptions) {
    const settings = ledgerSettings(options);
    this.#settings = { ...settings, file: resolve(settings.file) };
    this.#redaction = new Redaction(settings.redact, settings.onReport);
    this.#output = new LedgerOutput(this.#settings);
    this.#writer = new BatchWriter((lines) => this.#output.write(lines));
  }

  /** The file that is written: the one asked for, until the first line or `open()` has claimed one. */
  get file(): string {
    return this.#output.file;
  }

  /** Claims the file before the first line does, and gives it. Rejects with `storage`, and with `closed`. */
  async open(): Promise<string> {
    if (this.#isClosed) throw new PermissionGateError("closed", `The ledger ${this.file} is closed.`);
    await this.#writer.attempt();
    return this.file;
  }

  /**
   * The hash of the last line once every line so far is written, to be kept where the ledger's writer cannot change it;
   * null without a chain or a line. Rejects as `flush` does.
   */
  async head(): Promise<string | null> {
    await this.flush();
    return this.#output.head;
  }

  onToolPre(event: ToolPreEvent, call?: { input: JsonValue | undefined }): Promise<void> {
    const { includeInput, auditRequired } = this.#settings;
    const written = this.#append("tool.call", () => ({
      v: LEDGER_VERSION,
      type: "tool.call",
      ...event,
      ts: wholeMs(event.ts),
      ...(includeInput && call !== undefined ? this.#redaction.recorded("input", call.input) : undefined),
    }));
    if (auditRequired) this.#begins.add(event, written);
    return written;
  }

  onAskParked({ ask, ts }: { ask: PendingAsk; ts: number }): Promise<void> {
    return this.#append("ask.parked", () => askLine(ask, ts, this.#redaction));
  }

  onGateDecision(event: GateEvent): Promise<void> {
    return this.#append("gate.decision", () => decisionLine(event, this.#redaction));
  }

  onToolPost(event: ToolPostEvent, call?: { result: ToolDispatchResult | null }): Promise<void> {
    this.#begins.end(event);
    const result = call?.result ?? null;
    const { includeInput } = this.#settings;
    return this.#append("tool.result", () => ({
      v: LEDGER_VERSION,
      type: "tool.result",
      ...event,
      ts: wholeMs(event.ts),
      ...(includeInput && result !== null ? this.#redaction.recorded("output", result.output) : undefined),
    }));
  }

  /** Without `auditRequired` it has nothing to say. With it, waits until the call's begin is written, or blocks. */
  preToolUse(event: PreToolUseEvent): undefined | Promise<HookAction | undefined> {
    return this.#settings.auditRequired ? this.#whenOnRecord(event) : undefined;
  }

  /** A store that does what `store` does, and has every change of a grant written down. */
  grantStore(store: GrantStore): GrantStore {
    const { clock, includeInput } = this.#settings;
    return new RecordingGrantStore(store, clock, (change) => {
      const ts = clock.now();
      this.#append(change.type, () =>
        change.type === "grant.cleared"
          ? { v: LEDGER_VERSION, type: change.type, count: change.count, ts }
          : grantLine(change.type, change.grant, ts, { redaction: this.#redaction, includeInput }),
      );
    });
  }

  /** Resolves once every line so far is written; rejects with `storage` where one of those still waiting is not. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Flushes, gives the file up to others, and takes no more events. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const flushed = this.flush();
    this.#released ??= flushed.catch(() => {}).then(() => this.#output.release());
    await this.#released;
    await flushed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #whenOnRecord(event: PreToolUseEvent): Promise<HookAction | undefined> {
    const { sessionId: session_id, runId: run_id, turn, callId: call_id } = event;
    try {
      if (this.#isClosed) return HookAction.block(NOT_ON_RECORD);
      // A dry run has no begin: whether anything could be written is all there is to know.
      const written = event.dryRun
        ? this.#writer.attempt()
        : this.#begins.allWritten({ session_id, run_id, turn, call_id });
      if (written === null) return HookAction.block(NOT_ANNOUNCED);
      await written;
      return undefined;
    } catch {
      // Reported where it failed.
      return HookAction.block(NOT_ON_RECORD);
    }
  }

  /** Writes the line that `make` gives. One that cannot be made, or be read again, is lost as one that cannot be written. */
  #append(type: LedgerLine["type"], make: () => LedgerLine): Promise<void> {
    if (this.#isClosed) {
      const message = `The ledger ${this.file} is closed: a line of type ${type} was lost.`;
      this.#settings.onReport({ level: "error", message });
      return refused(new PermissionGateError("closed", message));
    }
    let text: string;
    try {
      text = checkedText(make());
    } catch (cause) {
      return refused(this.#output.drop(`cannot hold a line of type ${type}: it is lost`, cause));
    }
    const { waiting } = this.#writer;
    if (waiting > 0 && waiting + text.length > this.#settings.maxPendingBytes) {
      return refused(this.#output.drop("is written too slowly: lines are lost"));
    }
    return this.#writer.append(text);
  }
}

/** The text of a line that a reader takes. Throws for one that would be malformed. */
function checkedText(line: LedgerLine): string {
  if (isPlainlyReadable(line)) return lineText(line);
  const read = readFields(line.type, line);
  if ("problem" in read) throw new PermissionGateError("bad_record", read.problem);
  return lineText(line);
}

/** A rejection that was reported already: nobody has to await an observer. */
function refused(error: PermissionGateError): Promise<never> {
  const rejected = Promise.reject(error);
  rejected.catch(() => {});
  return rejected;
}
