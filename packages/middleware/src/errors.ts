import { PermissionGateError } from "@x/permission-core";
import type { ToolDispatchResult } from "./dispatch-result.js";

/** Thrown by a tool that refuses its own call: an error result of kind `permission` with this reason. */
export class ToolPermissionError extends PermissionGateError {
  override readonly name = "ToolPermissionError";

  constructor(reason: string, options?: { cause?: unknown }) {
    super("tool_permission", reason, options);
  }
}

/** `dispatch` rejects with this when the call was cancelled. Its record, if any, was emitted. */
export class RunCancelledError extends PermissionGateError {
  override readonly name = "RunCancelledError";

  constructor(toolName: string, options?: { cause?: unknown }) {
    super("run_cancelled", `The run was cancelled during a call of tool '${toolName}'.`, options);
  }
}

/** `dispatch` rejects with this when a guard stopped the run. */
export class RunStoppedError extends PermissionGateError {
  override readonly name = "RunStoppedError";
  /** holds the text for the model */
  readonly result: ToolDispatchResult;

  constructor(reason: string, result: ToolDispatchResult) {
    super("run_stopped", reason);
    this.result = result;
  }
}
