import type { GateDecision, JsonValue } from "@x/permission-core";
import type { ToolErrorKind } from "./tool.js";

/** What came of a call. Failures are results too: the model reads `output` either way. */
export interface ToolDispatchResult {
  callId: string;
  output: JsonValue;
  isError: boolean;
  errorKind: null | ToolErrorKind;
  /** milliseconds in the tool; 0 where it did not run */
  durationMs: number;
  cached: boolean;
  /** the deciding record; `ts` stamped once emitted by an engine, 0 on a bare pipeline; null where nothing gated */
  gate: GateDecision | null;
  /** every record of the dispatch in order, outermost first */
  trail: GateDecision[];
}

/** A result that is no success and took no time: a refusal, or a call that never reached its tool. */
export function failure(callId: string, errorKind: ToolErrorKind, text: string): ToolDispatchResult {
  return {
    callId,
    output: text,
    isError: true,
    errorKind,
    durationMs: 0,
    cached: false,
    gate: null,
    trail: [],
  };
}

export function success(callId: string, output: JsonValue, durationMs: number): ToolDispatchResult {
  return {
    callId,
    output,
    isError: false,
    errorKind: null,
    durationMs,
    cached: false,
    gate: null,
    trail: [],
  };
}
