import { isPermissionGateError, PermissionGateError } from "@x/permission-core";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import type { ToolCall } from "../tool.js";

/** How one of several calls ended. */
export type DispatchEntry =
  | { status: "completed"; result: ToolDispatchResult }
  | { status: "cancelled" | "stopped" | "not_started"; reason: string | null };

/** How many calls run at once unless said otherwise. */
const DEFAULT_CONCURRENCY = 10;

/** Dispatches calls side by side; see `ToolEngine.dispatchAll`. */
export async function dispatchAll(
  dispatch: (call: ToolCall) => Promise<ToolDispatchResult>,
  calls: readonly ToolCall[],
  maxConcurrency: number = DEFAULT_CONCURRENCY,
): Promise<DispatchEntry[]> {
  if (!(maxConcurrency >= 1)) {
    throw new PermissionGateError(
      "invalid_option",
      `maxConcurrency is ${maxConcurrency}; give a number from 1 up.`,
    );
  }
  const entries = new Array<DispatchEntry | undefined>(calls.length).fill(undefined);
  let halted: string | null = null;
  let next = 0;
  const work = async () => {
    while (halted === null && next < calls.length) {
      const index = next++;
      const call = calls[index] as ToolCall;
      const entry = await dispatch(call).then(
        (result): DispatchEntry => ({ status: "completed", result }),
        (error: unknown): DispatchEntry => entryOfError(call, error),
      );
      entries[index] = entry;
      if (entry.status !== "completed")
        halted ??= `the run was ${entry.status === "stopped" ? "stopped" : "cancelled"}`;
    }
  };
  await Promise.all(Array.from({ length: Math.min(Math.floor(maxConcurrency), calls.length) }, work));
  return entries.map((entry) => entry ?? { status: "not_started", reason: halted });
}

function entryOfError(call: ToolCall, error: unknown): DispatchEntry {
  const reason = error instanceof Error ? error.message : String(error);
  if (isPermissionGateError(error, "run_stopped")) return { status: "stopped", reason };
  if (isPermissionGateError(error, "run_cancelled")) return { status: "cancelled", reason };
  if (isPermissionGateError(error, "closed")) return { status: "not_started", reason };
  return {
    status: "completed",
    result: failure(call.callId, "tool", `Tool '${call.toolName}' failed: ${reason}`),
  };
}
