import {
  type AskFunction,
  type AskResolver,
  type Clock,
  cloneJson,
  type DispatchOutcome,
  type GateDecision,
  type GrantStore,
  type IdSource,
  isPermissionGateError,
  type OnReport,
  onAbort,
  PermissionGateError,
} from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import type { DispatchRecorder } from "../dispatch-recorder.js";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import { type DispatchEnvironment, neverThrowing } from "../environment.js";
import { RunCancelledError } from "../errors.js";
import { toAskResolver } from "../gate/resolver.js";
import type { DispatchGuard } from "../guards/guard.js";
import type { PostToolUseHook, PreToolUseHook } from "../hooks/hook.js";
import { HookExecutor } from "../hooks/hook-executor.js";
import { isPromiseLike } from "../is-promise.js";
import { admit, type Dispatch } from "../pipeline/dispatch.js";
import { outcomeOf, settleAsks } from "../pipeline/outcome.js";
import { type DryRunCall, type ToolPipeline, withCallId } from "../pipeline/tool-pipeline.js";
import type { ToolCall, ToolContext } from "../tool.js";
import { checkTimeout } from "../wait.js";
import { announceAskParked, announceDecision, announceToolPost, announceToolPre } from "./announce.js";
import { decideBeforePipeline } from "./decide-before-pipeline.js";
import { type DispatchEntry, dispatchAll } from "./dispatch-all.js";
import { dryRunBeforePipeline } from "./dry-run-before-pipeline.js";
import { objectionOf, objectionResult, tellGuards } from "./guards.js";
import type { EngineObserver } from "./observer.js";
import { ObserverHub } from "./observer-hub.js";

export interface EngineOptions {
  pipeline: ToolPipeline;
  /** session-wide rules, before grants answer and gates run; and observers of finished calls */
  hooks?: HookExecutor | readonly (PreToolUseHook | PostToolUseHook)[];
  /** answers the hooks' questions, and those of gates that have no resolver of their own */
  askResolver?: AskResolver | AskFunction;
  /** milliseconds until an unanswered ask expires; 0, undefined and Infinity mean never */
  askTimeoutMs?: number;
  /** remembers answers, also for gates that have no store of their own */
  grants?: GrantStore;
  /** the tools for which "always for this tool" may be offered; default none */
  rememberTools?: Iterable<string>;
  guards?: readonly DispatchGuard[];
  observers?: readonly EngineObserver[];
  /** milliseconds that a check, hook, policy or guard may take; default 30,000 */
  checkTimeoutMs?: number;
  /** default: the pipeline's */
  clock?: Clock;
  ids?: IdSource;
  onReport?: OnReport;
  /** minted when left out */
  sessionId?: string;
  runId?: string;
  agent?: string;
  /** nobody sits at this process; default false */
  isNonInteractive?: boolean;
}

/**
 * Dispatches the tool calls of one run: remembered denials, hooks, questions, guards, then the pipeline; one record at the
 * most, and one `tool_post` for every `tool_pre`, whatever happens.
 */
export class ToolEngine implements AsyncDisposable {
  readonly sessionId: string;
  readonly runId: string;
  readonly #pipeline: ToolPipeline;
  readonly #environment: DispatchEnvironment;
  readonly #session: Omit<ToolContext, "signal">;
  readonly #guards: readonly DispatchGuard[];
  readonly #observers: ObserverHub;
  readonly #inFlight = new Map<DispatchRecorder, Promise<unknown>>();
  #closed = false;

  constructor(options: EngineOptions) {
    checkTimeout("askTimeoutMs", options.askTimeoutMs);
    checkTimeout("checkTimeoutMs", options.checkTimeoutMs);
    const { pipeline, hooks, askResolver, askTimeoutMs, grants } = options;
    const fallback = pipeline.environment;
    const ids = options.ids ?? fallback.ids;
    const clock = options.clock ?? fallback.clock;
    const onReport = options.onReport === undefined ? fallback.onReport : neverThrowing(options.onReport);
    const observers = new ObserverHub(options.observers ?? [], onReport);
    this.#pipeline = pipeline;
    this.#guards = options.guards ?? [];
    this.#observers = observers;
    this.sessionId = options.sessionId ?? ids.uuid();
    this.runId = options.runId ?? ids.uuid();
    this.#session = {
      sessionId: this.sessionId,
      runId: this.runId,
      isNonInteractive: options.isNonInteractive ?? false,
      ...(options.agent === undefined ? undefined : { agent: options.agent }),
    };
    this.#environment = {
      clock,
      ids,
      onReport,
      checkTimeoutMs: options.checkTimeoutMs ?? fallback.checkTimeoutMs,
      rememberTools: new Set(options.rememberTools),
      onAskParked: (ask) => announceAskParked(observers, ask, clock.now()),
      ...(askResolver === undefined ? undefined : { askResolver: toAskResolver(askResolver) }),
      ...(askTimeoutMs === undefined ? undefined : { askTimeoutMs }),
      ...(grants === undefined ? undefined : { grants }),
      ...(hooks === undefined
        ? undefined
        : {
            hooks:
              hooks instanceof HookExecutor ? hooks : new HookExecutor(hooks as readonly PreToolUseHook[]),
          }),
    };
  }

  /**
   * Runs one call. Failures and refusals are results. Rejects with `RunCancelledError` when the call's signal fires or the
   * engine is closed meanwhile, with `RunStoppedError` when a guard stops the run, and with code `closed` after `close()`.
   */
  dispatch(call: ToolCall): Promise<ToolDispatchResult> {
    if (this.#closed) {
      return Promise.reject(
        new PermissionGateError("closed", "The engine is closed and takes no further calls."),
      );
    }
    const dispatch = this.#pipeline.begin(call, this.#environment, this.#session);
    const { recorder } = dispatch.facts;
    const running = this.#dispatch(dispatch);
    // A call that was cancelled before it began is over already.
    if (!recorder.closed) this.#inFlight.set(recorder, running);
    return running;
  }

  /**
   * Runs calls side by side, at most `maxConcurrency` (default 10) at once, and gives one entry per call in the same order.
   * Never rejects for a call: a refused or failing one stops no sibling; after a stop or a cancel nothing new starts.
   */
  dispatchAll(
    calls: readonly ToolCall[],
    options: { maxConcurrency?: number } = {},
  ): Promise<DispatchEntry[]> {
    return dispatchAll((call) => this.dispatch(call), calls, options.maxConcurrency);
  }

  /** What would be decided of a call by everything together: nothing is asked, saved or run. Null where nothing gates. */
  evaluate(call: DryRunCall): Promise<GateDecision | null> {
    const dispatch = this.#pipeline.begin(withCallId(call), this.#environment, this.#session);
    return dryRunBeforePipeline(dispatch, this.#pipeline, this.#guards);
  }

  /**
   * Takes nothing new and ends every wait as cancelled: asks, checks and hooks. Resolves once the tools that are running have
   * finished and observers have taken what is pending.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const recorder of this.#inFlight.keys()) recorder.endWaits("cancelled");
    await Promise.allSettled(this.#inFlight.values());
    await this.#observers.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #dispatch(dispatch: Dispatch): Promise<ToolDispatchResult> {
    const { facts, given, signal } = dispatch;
    announceToolPre(this.#observers, facts, given.kind === "input" ? given.input : undefined);
    try {
      if (signal?.aborted === true) throw new RunCancelledError(facts.toolName, { cause: signal.reason });
      const deciding = this.#decideAndRun(dispatch);
      const { result, context } = await (signal === undefined
        ? deciding
        : racing(deciding, dispatch, signal));
      if (wasCancelled(facts.recorder, result)) throw new RunCancelledError(facts.toolName);
      return await this.#finish(dispatch, result, context);
    } catch (error) {
      if (isPermissionGateError(error, "run_stopped")) return this.#abandon(dispatch, "stopped", error);
      if (isPermissionGateError(error, "run_cancelled")) return this.#abandon(dispatch, "cancelled", error);
      // Nothing of ours should throw; if it does, the call has failed, and the run goes on.
      facts.environment.onReport({
        level: "error",
        message: `The call of tool '${facts.toolName}' could not be decided.`,
        cause: error,
      });
      const text = `Tool '${facts.toolName}' failed: the call could not be decided`;
      return await this.#finish(dispatch, failure(facts.callId, "tool", text), null);
    } finally {
      this.#inFlight.delete(facts.recorder);
    }
  }

  /** Ends a call that gives no result: its record all the same, and `tool_post`. */
  #abandon(dispatch: Dispatch, outcome: "stopped" | "cancelled", error: Error): never {
    dispatch.facts.recorder.close();
    announceDecision(this.#observers, dispatch.facts);
    this.#end(dispatch, outcome, null);
    throw error;
  }

  async #decideAndRun(dispatch: Dispatch): Promise<Decided> {
    let admitted = admit(dispatch, this.#pipeline.registry);
    if (isPromiseLike(admitted)) admitted = await admitted;
    if ("refused" in admitted) return { result: admitted.refused, context: null };
    const { context } = admitted;
    const { grants, hooks } = this.#environment;
    if (grants !== undefined || hooks !== undefined) {
      const refused = await decideBeforePipeline(context, this.#pipeline);
      if (refused !== null) return { result: refused, context: null };
    }
    if (this.#guards.length === 0) return { result: await this.#pipeline.run(context), context };
    const objection = await objectionOf(this.#guards, context, false);
    if (objection !== null) return { result: objectionResult(objection, context.callId), context: null };
    const result = await this.#pipeline.run(context);
    if (!context.facts.recorder.closed) tellGuards(this.#guards, context, result);
    return { result, context };
  }

  /** The record, then the hooks that only watch, then `tool_post`. */
  async #finish(
    dispatch: Dispatch,
    result: ToolDispatchResult,
    context: DispatchContext | null,
  ): Promise<ToolDispatchResult> {
    const { recorder } = dispatch.facts;
    recorder.close();
    announceDecision(this.#observers, dispatch.facts);
    const finished = { ...result, gate: recorder.deciding, trail: recorder.trail };
    if (context !== null) {
      const watching = this.#environment.hooks?.postToolUse(context, () => copyOf(finished));
      if (watching !== undefined) await watching;
    }
    this.#end(dispatch, outcomeOf(recorder, finished), finished);
    return finished;
  }

  #end(dispatch: Dispatch, outcome: DispatchOutcome, result: ToolDispatchResult | null): void {
    const { recorder } = dispatch.facts;
    announceToolPost(this.#observers, dispatch.facts, outcome, result);
    if (recorder.asks.length > 0) {
      this.#observers.track(settleAsks(recorder, outcome, this.#environment.onReport));
    }
  }
}

interface Decided {
  result: ToolDispatchResult;
  /** null where the pipeline was not reached */
  context: DispatchContext | null;
}

/** The dispatch, or its cancel, whichever is first: a tool that does not heed its signal is not waited for. */
function racing(deciding: Promise<Decided>, dispatch: Dispatch, signal: AbortSignal): Promise<Decided> {
  const { recorder, toolName } = dispatch.facts;
  return new Promise((resolve, reject) => {
    const unsubscribe = onAbort(signal, () => {
      recorder.endWaits("cancelled");
      reject(new RunCancelledError(toolName, { cause: signal.reason }));
    });
    deciding.then(resolve, reject).finally(unsubscribe);
  });
}

/** Whether the call ended because it was called off, by its signal or by `close()`. */
function wasCancelled(recorder: DispatchRecorder, result: ToolDispatchResult): boolean {
  return result.errorKind === "cancelled" || recorder.deciding?.verdict === "cancelled";
}

/** A copy for those who may only look. An output that JSON cannot hold is shown as it is. */
function copyOf(result: ToolDispatchResult): ToolDispatchResult {
  const gate = result.gate === null ? null : { ...result.gate };
  const trail = result.trail.map((record) => ({ ...record }));
  try {
    return { ...result, output: cloneJson(result.output), gate, trail };
  } catch {
    return { ...result, gate, trail };
  }
}
