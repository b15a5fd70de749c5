import type {
  AskParkedLine,
  GateDecisionLine,
  LedgerLine,
  ToolCallLine,
  ToolResultLine,
} from "./ledger-line.js";
import type { LedgerReading } from "./line-reading.js";
import { readLedger } from "./read-ledger.js";

/** What a ledger holds of one call. A part is null, or the list empty, where there is no such line. */
export interface LedgerCall {
  session_id: string;
  run_id: string;
  turn: number;
  call_id: string;
  tool: string;
  /** null where it stands in a file that was not given, or was lost */
  call: ToolCallLine | null;
  asks: AskParkedLine[];
  /** null where nothing gated, or it was not decided yet */
  decision: GateDecisionLine | null;
  /** null where the call was not finished */
  result: ToolResultLine | null;
}

/**
 * The calls of a ledger, in the order of their first lines. `source` is files in their order, or lines. Calls are told
 * apart by session, run, turn and call id; where a host uses all of these twice, by tool and digest, and the later of
 * two counts: an earlier one without a result was broken off.
 * A call without a result did not end, or not yet. Rejects as `readLedger` does; what is no line is passed over.
 */
export async function joinLedger(
  source: string | readonly string[] | Iterable<LedgerLine> | AsyncIterable<LedgerLine | LedgerReading>,
): Promise<LedgerCall[]> {
  const joined = new CallJoin();
  const lines = isFiles(source) ? readLedger(source) : source;
  for await (const line of lines) {
    if (!("kind" in line)) joined.add(line);
    else if (line.kind === "line") joined.add(line.value);
  }
  return joined.calls;
}

class CallJoin {
  readonly calls: LedgerCall[] = [];
  /** without a result, by what names them, in their order */
  readonly #open = new Map<string, LedgerCall[]>();

  add(line: LedgerLine): void {
    switch (line.type) {
      case "tool.call":
        this.#begin(line, line.tool).call = line;
        break;
      case "ask.parked":
        this.#find(line, line.tool, (call) => call.decision === null).asks.push(line);
        break;
      case "gate.decision": {
        const { tool, args_digest } = line.decision;
        const isItsOwn = (call: LedgerCall) =>
          call.decision === null && (call.call === null || call.call.args_digest === args_digest);
        this.#find(line, tool, isItsOwn).decision = line;
        break;
      }
      case "tool.result":
        this.#end(line);
        break;
      default:
        break;
    }
  }

  #end(line: ToolResultLine): void {
    const call = this.#find(line, line.tool, () => true);
    call.result = line;
    const key = keyOf(line);
    const rest = this.#open.get(key)?.filter((other) => other !== call) ?? [];
    if (rest.length > 0) this.#open.set(key, rest);
    else this.#open.delete(key);
  }

  /** The last unfinished call of that name that fits, else a new one whose begin is not known. */
  #find(line: CallName, tool: string, fits: (call: LedgerCall) => boolean): LedgerCall {
    const open = this.#open.get(keyOf(line)) ?? [];
    return open.findLast((call) => call.tool === tool && fits(call)) ?? this.#begin(line, tool);
  }

  #begin({ session_id, run_id, turn, call_id }: CallName, tool: string): LedgerCall {
    const about = { session_id, run_id, turn, call_id, tool };
    const call: LedgerCall = { ...about, call: null, asks: [], decision: null, result: null };
    this.calls.push(call);
    const key = keyOf(about);
    const open = this.#open.get(key);
    if (open === undefined) this.#open.set(key, [call]);
    else open.push(call);
    return call;
  }
}

type CallName = Pick<LedgerCall, "session_id" | "run_id" | "turn" | "call_id">;

function keyOf({ session_id, run_id, turn, call_id }: CallName): string {
  return JSON.stringify([session_id, run_id, turn, call_id]);
}

function isFiles(source: unknown): source is string | readonly string[] {
  return (
    typeof source === "string" || (Array.isArray(source) && source.every((file) => typeof file === "string"))
  );
}
