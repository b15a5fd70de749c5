import type { Awaitable } from "@x/permission-core";
import type { ToolDispatchResult } from "../dispatch-result.js";

/** The call that a guard looks at. */
export interface GuardedCall {
  toolName: string;
  argsDigest: string;
  callId: string;
}

/**
 * Looks at a call right before the pipeline runs it, whatever was decided. `refuse`: an error result with `reason`, and the
 * run goes on. `stop`: `dispatch` rejects with `RunStoppedError`, whose `result` holds the model's text. A guard that throws
 * refuses.
 */
export interface DispatchGuard {
  name: string;
  /** In a dry run (`dryRun`) it must not count the call. */
  before(
    call: GuardedCall & { dryRun?: boolean },
  ): Awaitable<null | { action: "refuse" | "stop"; reason: string }>;
  /** After the pipeline gave its result; not called where it never ran. */
  after?(call: GuardedCall, result: ToolDispatchResult): void;
}
