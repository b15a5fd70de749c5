import type { Gate, ToolDispatchResult } from "@x/middleware";
import { type GateDecision, isPermissionGateError } from "@x/permission-core";
import type { CallWatch } from "./call-watch.js";
import { toldOf } from "./report/told.js";
import type { RecordedCall } from "./transcript-calls.js";

/** What is to be shown of a call. `decision` is null where nothing was decided: no tool takes such arguments. */
export interface Replayed {
  decision: GateDecision | null;
  told: string;
}

/** What would be decided: nobody is asked, nothing runs. */
export async function evaluateCall(gate: Gate, { toolName, turn, args }: RecordedCall): Promise<Replayed> {
  const decision = await gate.evaluate({ toolName, turn, ...args });
  const told = decision?.reason ?? "";
  return { decision: decision === null || isInvalid(decision) ? null : decision, told };
}

/**
 * Whether the engine refused the arguments before any check saw them. A dry run says that as a denial, where a real run
 * gives an error and no record. The engine's own failures, which a real run records too, begin with `policy error`.
 */
function isInvalid({ rule_id, rule_source, reason }: GateDecision): boolean {
  return rule_id === "engine" && rule_source === "engine" && reason?.startsWith("policy error") !== true;
}

/** Decides and, if allowed, runs. Null when the call was called off by `signal`. */
export async function dispatchCall(
  gate: Gate,
  { args, ...call }: RecordedCall,
  { watch, signal }: { watch: CallWatch; signal: AbortSignal },
): Promise<Replayed | null> {
  let result: ToolDispatchResult;
  try {
    result = await gate.dispatch({ ...call, ...args, signal });
  } catch (error) {
    if (isPermissionGateError(error, "run_cancelled")) return null;
    throw error;
  }
  return { decision: result.gate, told: toldOf(result, watch) };
}
