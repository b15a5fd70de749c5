import { type Awaitable, cloneJson, type JsonValue, notJsonPath } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { isPromiseLike } from "../is-promise.js";
import { waitFor } from "../wait.js";
import type { GateSettings } from "./gate-settings.js";
import { POLICY_ERROR } from "./texts.js";

/** Why a rewritten input cannot run; `engine` where what rewrote it failed. */
export interface RefusedRewrite {
  reason: string;
  source?: "engine";
}

/**
 * Puts a rewritten input in the place of the input, or says why not: it must be a JSON value, and where the gate
 * revalidates, one that the tool's own validator takes. What the validator makes of it is what runs.
 */
export function acceptRewrite(
  input: JsonValue,
  settings: GateSettings,
  context: DispatchContext,
): Awaitable<RefusedRewrite | null> {
  let copy: JsonValue;
  try {
    copy = cloneJson(input);
  } catch (error) {
    return {
      reason: `${POLICY_ERROR}: not_json at ${notJsonPath(error) ?? "an unknown path"}`,
      source: "engine",
    };
  }
  const { tool } = context.facts;
  if (!settings.revalidating || tool?.parse === undefined) {
    context.input = copy;
    return null;
  }
  const accept = (parsed: { value: unknown } | { error: string }): RefusedRewrite | null => {
    if ("error" in parsed) return { reason: parsed.error };
    context.input = parsed.value as JsonValue;
    return null;
  };
  const failed = (cause: unknown): RefusedRewrite => {
    context.facts.environment.onReport({
      level: "error",
      message: `The validator of tool '${context.toolName}' failed on a rewritten input; the call is denied.`,
      cause,
    });
    return { reason: POLICY_ERROR, source: "engine" };
  };
  try {
    const parsed = tool.parse(copy);
    return isPromiseLike(parsed) ? acceptLater(parsed, context, accept, failed) : accept(parsed);
  } catch (error) {
    return failed(error);
  }
}

type Parsed = { value: unknown } | { error: string };

function acceptLater(
  parsed: PromiseLike<Parsed>,
  context: DispatchContext,
  accept: (parsed: Parsed) => RefusedRewrite | null,
  failed: (cause: unknown) => RefusedRewrite,
): Promise<RefusedRewrite | null> {
  const { environment, recorder } = context.facts;
  return waitFor<Parsed, RefusedRewrite | null>({
    start: () => parsed,
    conclude: (ending) =>
      ending.kind === "value"
        ? accept(ending.value)
        : failed(ending.kind === "thrown" ? ending.error : "It gave no answer before the call ended."),
    signal: context.signal,
    timeoutMs: environment.checkTimeoutMs,
    clock: environment.clock,
    openWaits: recorder.openWaits,
  });
}
