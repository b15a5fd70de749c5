import type { DispatchOutcome, GateEvent, GrantVerdict, JsonValue } from "@x/permission-core";
import type { ToolPostEvent, ToolPreEvent } from "../engine/observer.js";

/** The version of the line format, in every line. */
export const LEDGER_VERSION = 1;

interface Line<Type extends string> {
  v: typeof LEDGER_VERSION;
  type: Type;
}

/**
 * A value of the call, where the ledger records them. Beside a null, `<name>_not_json` marks one that JSON cannot hold, and
 * `<name>_too_large` one whose text would have more than 1,048,576 characters.
 */
export type Recorded<Name extends string> = { [Key in Name]?: JsonValue } & {
  [Key in `${Name}_not_json` | `${Name}_too_large`]?: true;
};

/** A call, before anything judged it. */
export type ToolCallLine = Line<"tool.call"> & ToolPreEvent & Recorded<"input">;

/** A question that somebody was asked. What approvers alone may see is not in it. */
export type AskParkedLine = Line<"ask.parked"> & {
  ask_id: string;
  session_id: string;
  run_id: string;
  agent: string | null;
  call_id: string;
  turn: number;
  tool: string;
  args_digest: string;
  prompt: string;
  expires_at_ms: number | null;
  ts: number;
};

/** How a call was decided. Its time is that of its decision. */
export type GateDecisionLine = Line<"gate.decision"> & GateEvent;

export type ToolResultLine = Line<"tool.result"> &
  ToolPostEvent & { outcome: DispatchOutcome } & Recorded<"output">;

/** A remembered answer that was saved, was taken back, or was first seen to have expired. */
export type GrantLine = Line<"grant.saved" | "grant.revoked" | "grant.expired"> & {
  grant_id: string;
  tool: string;
  verdict: GrantVerdict;
  /** the kind alone: the arguments of a `this_call` grant are in `args`, where the ledger records them */
  scope: "this_tool" | "this_call";
  pinned_descriptor: string | null;
  pinned_fingerprint: string | null;
  created_at_ms: number;
  expires_at_ms: number | null;
  granted_by: string | null;
  ts: number;
} & Recorded<"args">;

/** All remembered answers of a store were taken back. */
export type GrantsClearedLine = Line<"grant.cleared"> & { count: number; ts: number };

/** What a write left behind that was cut off: the bytes of a line, and their SHA-256 in 64 hex. */
export interface TornText {
  bytes: number;
  sha256: string;
}

/** The first line of a file with a chain. `previous` is the file before and its last hash; null begins the chain. */
export type LedgerStartLine = Line<"ledger.start"> & {
  previous: { file: string; hash: string } | null;
  /** the text before this line, where that was cut off */
  torn?: TornText;
  ts: number;
};

/** The line before this one is what a write left that was cut off. */
export type LedgerTornLine = Line<"ledger.torn"> & { torn: TornText; ts: number };

/** So many lines before this one could not be written. */
export type LedgerLostLine = Line<"ledger.lost"> & { lines: number; ts: number };

/** One line of a ledger. */
export type LedgerLine =
  | ToolCallLine
  | AskParkedLine
  | GateDecisionLine
  | ToolResultLine
  | GrantLine
  | GrantsClearedLine
  | LedgerStartLine
  | LedgerTornLine
  | LedgerLostLine;

/** What is not a line break to JSON but is one, or worse, to a terminal or to a reader that splits by Unicode's rules. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** The text of a line, without its end. No character in any field can break it. */
export function lineText(line: LedgerLine): string {
  return JSON.stringify(line).replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}
