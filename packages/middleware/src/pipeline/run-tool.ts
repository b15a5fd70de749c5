import { isPermissionGateError, type JsonValue } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { failure, success, type ToolDispatchResult } from "../dispatch-result.js";
import { isPromiseLike } from "../is-promise.js";
import type { ToolErrorKind } from "../tool.js";
import { cancelledText } from "./dispatch.js";

/** Calls the tool with the input as it stands, unless the call is over by now. */
export function runTool(context: DispatchContext): Promise<ToolDispatchResult> {
  const { facts } = context;
  const { tool, environment } = facts;
  if (context.ended || tool === null) {
    return Promise.resolve(failure(facts.callId, "cancelled", cancelledText(facts.toolName)));
  }
  facts.state.effectiveDigest = context.effectiveDigest();
  const startedMs = environment.clock.now();
  // A clock may be set back meanwhile.
  const took = () => Math.max(0, environment.clock.now() - startedMs);
  try {
    const output = tool.call(context.input, context.toolContext);
    if (!isPromiseLike(output)) return Promise.resolve(success(facts.callId, toOutput(output), took()));
    return Promise.resolve(output).then(
      (later) => success(facts.callId, toOutput(later), took()),
      (error: unknown) => toolFailed(context, error, took()),
    );
  } catch (error) {
    return Promise.resolve(toolFailed(context, error, took()));
  }
}

function toOutput(output: unknown): JsonValue {
  return output === undefined ? null : (output as JsonValue);
}

/** The model reads the message of what a tool threw, never its stack. */
function toolFailed(context: DispatchContext, error: unknown, durationMs: number): ToolDispatchResult {
  const { toolName, callId } = context;
  const fail = (kind: ToolErrorKind, text: string) => ({ ...failure(callId, kind, text), durationMs });
  const message = error instanceof Error ? error.message : String(error);
  if (isPermissionGateError(error, "tool_permission")) return fail("permission", message);
  if (context.ended) return fail("cancelled", `Tool '${toolName}' was cancelled`);
  return fail("tool", `Tool '${toolName}' failed: ${message}`);
}
