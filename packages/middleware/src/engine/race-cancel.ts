import { onAbort } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import type { DispatchRecorder } from "../dispatch-recorder.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import { settlingTurns } from "../wait.js";

/** What a call came to. */
export interface Decided {
  result: ToolDispatchResult;
  /** null where the pipeline was not reached */
  context: DispatchContext | null;
  /** why a guard stopped the run */
  stop?: string;
}

/**
 * The dispatch, or null where it is cancelled first. What waits inside then still leaves its record; a tool that does not
 * heed its signal is not waited for.
 */
export function raceCancel(
  deciding: Promise<Decided>,
  recorder: DispatchRecorder,
  signal: AbortSignal,
): Promise<Decided | null> {
  return new Promise((resolve, reject) => {
    const cancelled = () => resolve(null);
    const unsubscribe = onAbort(signal, () => {
      recorder.endWaits("cancelled");
      Promise.race([deciding, settlingTurns()]).then(cancelled, cancelled);
    });
    deciding.then((decided) => resolve(signal.aborted ? null : decided), reject).finally(unsubscribe);
  });
}

/** Whether the call ended because it was called off, by its signal or by `close()`. */
export function wasCancelled(recorder: DispatchRecorder, result: ToolDispatchResult): boolean {
  return result.errorKind === "cancelled" || recorder.deciding?.verdict === "cancelled";
}
