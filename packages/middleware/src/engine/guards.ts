import type { DispatchContext } from "../dispatch-context.js";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import { RunStoppedError } from "../errors.js";
import type { DispatchGuard, GuardedCall } from "../guards/guard.js";
import { isPromiseLike } from "../is-promise.js";
import { waitFor } from "../wait.js";

type GuardAnswer = Awaited<ReturnType<DispatchGuard["before"]>>;
type Objection = NonNullable<GuardAnswer> & { guard: string };

/** The first guard's objection, or null. Fails closed: a guard that throws, hangs or talks nonsense refuses. */
export async function objectionOf(
  guards: readonly DispatchGuard[],
  context: DispatchContext,
  dryRun: boolean,
): Promise<Objection | null> {
  for (const guard of guards) {
    const answer = await askGuard(guard, context, dryRun);
    if (answer !== null) return { ...answer, guard: guard.name };
  }
  return null;
}

/** What an objection comes to: an error result, or the end of the run. */
export function objectionResult(objection: Objection, callId: string): ToolDispatchResult {
  if (objection.action === "refuse") return failure(callId, "guard", objection.reason);
  const text = `dispatch refused before execution: ${objection.reason}`;
  throw new RunStoppedError(text, failure(callId, "guard", text));
}

/** Tells the guards how the call came out. */
export function tellGuards(
  guards: readonly DispatchGuard[],
  context: DispatchContext,
  result: ToolDispatchResult,
): void {
  for (const guard of guards) {
    try {
      guard.after?.(guardedCall(context), result);
    } catch (cause) {
      report(guard, context, cause);
    }
  }
}

function askGuard(
  guard: DispatchGuard,
  context: DispatchContext,
  dryRun: boolean,
): GuardAnswer | Promise<GuardAnswer> {
  const failed = (cause: unknown): GuardAnswer => {
    report(guard, context, cause);
    return { action: "refuse", reason: "guard error" };
  };
  const read = (answer: GuardAnswer): GuardAnswer =>
    isGuardAnswer(answer) ? answer : failed("It gave neither null nor an action.");
  try {
    const call = guardedCall(context);
    const answer = guard.before(dryRun ? { ...call, dryRun } : call);
    if (!isPromiseLike(answer)) return read(answer);
    const { environment, recorder } = context.facts;
    context.snapshot();
    return waitFor<GuardAnswer, GuardAnswer>({
      start: () => answer,
      conclude: (ending) =>
        ending.kind === "value"
          ? read(ending.value)
          : failed(ending.kind === "thrown" ? ending.error : "It gave no answer before the call ended."),
      signal: context.signal,
      timeoutMs: environment.checkTimeoutMs,
      clock: environment.clock,
      openWaits: recorder.openWaits,
    });
  } catch (error) {
    return failed(error);
  }
}

function isGuardAnswer(answer: unknown): answer is GuardAnswer {
  if (answer === null) return true;
  if (typeof answer !== "object") return false;
  const { action, reason } = answer as { action?: unknown; reason?: unknown };
  return (action === "refuse" || action === "stop") && typeof reason === "string";
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
