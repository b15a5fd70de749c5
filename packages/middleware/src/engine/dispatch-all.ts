import { isPermissionGateError } from "@x/permission-core";
import { checkOption } from "../check-option.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
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
  checkOption(
    typeof maxConcurrency === "number" && maxConcurrency >= 1,
    "maxConcurrency",
    maxConcurrency,
    "a number, 1 or more",
  );
  // The caller may go on to change its array.
  const queue = [...calls];
  const entries = queue.map((): DispatchEntry | null => null);
  let halted: string | null = null;
  let next = 0;
  const work = async () => {
    while (halted === null && next < queue.length) {
      const index = next++;
      const entry = await entryOf(dispatch, queue[index] as ToolCall);
      entries[index] = entry;
      if (entry.status !== "completed") halted ??= haltedBy(entry);
    }
  };
  await Promise.all(Array.from({ length: Math.min(Math.floor(maxConcurrency), queue.length) }, work));
  return entries.map((entry) => entry ?? { status: "not_started", reason: halted });
}

/** Why nothing new starts after a call that ended like this. */
function haltedBy({ status, reason }: Exclude<DispatchEntry, { status: "completed" }>): string | null {
  return status === "not_started" ? reason : `the run was ${status}`;
}

async function entryOf(
  dispatch: (call: ToolCall) => Promise<ToolDispatchResult>,
  call: ToolCall,
): Promise<DispatchEntry> {
  try {
    return { status: "completed", result: await dispatch(call) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isPermissionGateError(error, "run_stopped")) return { status: "stopped", reason };
    // It rejects for nothing else.
    return { status: isPermissionGateError(error, "closed") ? "not_started" : "cancelled", reason };
  }
}
