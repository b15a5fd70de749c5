import type { Awaitable } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import type { DispatchGuard, GuardedCall } from "../guards/guard.js";
import { isPromiseLike } from "../is-promise.js";
import { cancelledText } from "../pipeline/dispatch.js";
import { waitFor } from "../wait.js";

type GuardAnswer = Awaited<ReturnType<DispatchGuard["before"]>>;

/** Why a call does not reach its pipeline; `cancelled`: it was called off while a guard was deciding. */
export type Objection = (NonNullable<GuardAnswer> | { action: "cancelled" }) & { guard: string };

/**
 * The first guard's objection, or null. Synchronous as long as every guard is. Fails closed: a guard that throws, hangs or talks nonsense refuses.
 */
export function objectionOf(
  guards: readonly DispatchGuard[],
  context: DispatchContext,
): Awaitable<Objection | null> {
  return objectionFrom(0, guards, context);
}

function objectionFrom(
  first: number,
  guards: readonly DispatchGuard[],
  context: DispatchContext,
): Awaitable<Objection | null> {
  for (let index = first; index < guards.length; index++) {
    const said = askGuard(guards[index] as DispatchGuard, context);
    if (isPromiseLike(said)) {
      return said.then((later) => later ?? objectionFrom(index + 1, guards, context));
    }
    if (said !== null) return said;
  }
  return null;
}

/** What the model reads of an objection. */
export function objectionResult(objection: Objection, context: DispatchContext): ToolDispatchResult {
  const { callId, toolName } = context;
  switch (objection.action) {
    case "refuse":
      return failure(callId, "guard", objection.reason);
    case "stop":
      return failure(callId, "guard", `dispatch refused before execution: ${objection.reason}`);
    case "cancelled":
      return failure(callId, "cancelled", cancelledText(toolName));
  }
}

/** Tells the guards how the call came out. */
export function tellGuards(
  guards: readonly DispatchGuard[],
  context: DispatchContext,
  result: ToolDispatchResult,
): void {
  for (const guard of guards) {
    try {
      // Nobody waits for a guard that makes this asynchronous; what it throws is reported all the same.
      const told: unknown = guard.after?.(guardedCall(context), result);
      if (isPromiseLike(told)) Promise.resolve(told).catch((cause) => report(guard, context, cause));
    } catch (cause) {
      report(guard, context, cause);
    }
  }
}

function askGuard(
  guard: DispatchGuard,
  context: DispatchContext,
): Objection | null | Promise<Objection | null> {
  const failed = (cause: unknown): Objection => {
    report(guard, context, cause);
    return { action: "refuse", reason: "guard error", guard: guard.name };
  };
  const read = (answer: GuardAnswer): Objection | null => {
    try {
      if (answer === null) return null;
      const { action, reason } = answer ?? {};
      if ((action !== "refuse" && action !== "stop") || typeof reason !== "string")
        return failed("It gave neither null nor an action.");
      return { action, reason, guard: guard.name };
    } catch (error) {
      return failed(error);
    }
  };
  try {
    const call = guardedCall(context);
    const answer = guard.before(context.facts.dryRun ? { ...call, dryRun: true } : call);
    if (!isPromiseLike(answer)) return read(answer);
    const { environment, recorder } = context.facts;
    return waitFor<GuardAnswer, Objection | null>({
      start: () => answer,
      conclude(ending) {
        if (ending.kind === "value") return read(ending.value);
        if (ending.kind === "cancelled") return { action: "cancelled", guard: guard.name };
        return failed(ending.kind === "thrown" ? ending.error : "It took too long.");
      },
      signal: context.signal,
      timeoutMs: environment.checkTimeoutMs,
      clock: environment.clock,
      openWaits: recorder.openWaits,
    });
  } catch (error) {
    return failed(error);
  }
}

function guardedCall(context: DispatchContext): GuardedCall {
  return { toolName: context.toolName, argsDigest: context.argsDigest, callId: context.callId };
}

function report(guard: DispatchGuard, context: DispatchContext, cause: unknown): void {
  context.facts.environment.onReport({
    level: "error",
    message: `The guard '${guard.name}' failed on a call of tool '${context.toolName}'.`,
    cause,
  });
}
