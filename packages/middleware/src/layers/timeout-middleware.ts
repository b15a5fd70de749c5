import { dispatchContextOf } from "../dispatch-context.js";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import type { NextLayer, ToolDispatchContext, ToolMiddleware } from "../tool-middleware.js";
import { checkTimeout, settlingTurns, waitFor } from "../wait.js";
import { LAYER_ROLE } from "./layer-role.js";

/**
 * Bounds everything inside it, a question to somebody included. When the time is up, the signal inside fires, a pending ask
 * is recorded `ask_expired`, and the model reads `Tool 'T' timed out after Ns`, the seconds rounded up. A tool that does not
 * heed its signal runs on unheard.
 */
export class TimeoutMiddleware implements ToolMiddleware {
  readonly name = "timeout";
  readonly [LAYER_ROLE] = "timeout";
  readonly #timeoutMs: number;

  /** Milliseconds; 0 and Infinity mean no bound. */
  constructor(timeoutMs: number) {
    checkTimeout("TimeoutMiddleware", timeoutMs);
    this.#timeoutMs = timeoutMs;
  }

  dispatch(context: ToolDispatchContext, next: NextLayer): Promise<ToolDispatchResult> {
    const call = dispatchContextOf(context);
    const { toolName, callId } = call;
    const { recorder, environment } = call.facts;
    let inside: Promise<ToolDispatchResult>;
    return waitFor<ToolDispatchResult, ToolDispatchResult>({
      start(signal) {
        inside = next({ signal });
        return inside;
      },
      conclude: (ending) => {
        switch (ending.kind) {
          case "value":
            return ending.value;
          case "thrown":
            throw ending.error;
          case "cancelled":
            // What was waiting inside says how it ended; a tool that goes on is not waited for.
            return Promise.race([
              inside,
              settlingTurns().then(() => failure(callId, "cancelled", `Tool '${toolName}' was cancelled`)),
            ]);
          case "expired": {
            const seconds = Math.ceil(this.#timeoutMs / 1000);
            return failure(callId, "timeout", `Tool '${toolName}' timed out after ${seconds}s`);
          }
        }
      },
      signal: call.signal,
      timeoutMs: this.#timeoutMs,
      clock: environment.clock,
      openWaits: recorder.openWaits,
    });
  }
}
