import { type Awaitable, cloneJson, notJsonPath } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { isPromiseLike } from "../is-promise.js";
import { isParsedInput } from "../parsed-input.js";
import { waitFor } from "../wait.js";
import type { GateSettings } from "./gate-settings.js";
import { CANCELLED_DECIDING, POLICY_ERROR } from "./texts.js";

/** Why a rewritten input cannot run; `engine` where what rewrote it, or what judged it, failed. */
export interface RefusedRewrite {
  verdict: "deny" | "cancelled";
  reason: string;
  source?: "engine";
}

/**
 * Puts a rewritten input in the place of the input, or says why not: it must be a JSON value, and where the gate
 * revalidates, one that the tool's own validator takes. What the validator makes of it is what runs.
 */
export function acceptRewrite(
  input: unknown,
  settings: GateSettings,
  context: DispatchContext,
): Awaitable<RefusedRewrite | null> {
  const refused = replaceInput(input, context);
  const { tool } = context.facts;
  if (refused !== null || !settings.revalidating || tool?.parse === undefined) return refused;
  try {
    const parsed = tool.parse(context.input);
    return isPromiseLike(parsed) ? acceptLater(parsed, context) : acceptParsed(parsed, context);
  } catch (error) {
    return validatorFailed(context, error);
  }
}

function replaceInput(input: unknown, context: DispatchContext): RefusedRewrite | null {
  try {
    context.input = cloneJson(input);
    return null;
  } catch (error) {
    const reason = `${POLICY_ERROR}: not_json at ${notJsonPath(error) ?? "an unknown path"}`;
    return { verdict: "deny", reason, source: "engine" };
  }
}

function acceptLater(parsed: PromiseLike<unknown>, context: DispatchContext): Promise<RefusedRewrite | null> {
  const { environment, recorder, state } = context.facts;
  // A denial may be remembered meanwhile.
  state.recalled = null;
  return waitFor<unknown, RefusedRewrite | null>({
    start: () => parsed,
    conclude(ending) {
      switch (ending.kind) {
        case "value":
          return acceptParsed(ending.value, context);
        case "cancelled":
          return { verdict: "cancelled", reason: CANCELLED_DECIDING, source: "engine" };
        case "thrown":
          return validatorFailed(context, ending.error);
        case "expired":
          return validatorFailed(context, "It took too long.");
      }
    },
    signal: context.signal,
    timeoutMs: environment.checkTimeoutMs,
    clock: environment.clock,
    openWaits: recorder.openWaits,
  });
}

function acceptParsed(parsed: unknown, context: DispatchContext): RefusedRewrite | null {
  if (!isParsedInput(parsed)) return validatorFailed(context, "It gave neither a value nor an error.");
  return "error" in parsed ? { verdict: "deny", reason: parsed.error } : replaceInput(parsed.value, context);
}

function validatorFailed(context: DispatchContext, cause: unknown): RefusedRewrite {
  context.facts.environment.onReport({
    level: "error",
    message: `The validator of tool '${context.toolName}' failed on a rewritten input; the call is denied.`,
    cause,
  });
  return { verdict: "deny", reason: POLICY_ERROR, source: "engine" };
}
