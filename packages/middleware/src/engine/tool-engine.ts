import {
  type DispatchOutcome,
  type GateDecision,
  isolatedReport,
  PermissionGateError,
} from "@x/permission-core";
import { checkOption } from "../check-option.js";
import type { DispatchFacts } from "../dispatch-context.js";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import type { DispatchEnvironment } from "../environment.js";
import { RunCancelledError, RunStoppedError } from "../errors.js";
import type { DispatchGuard } from "../guards/guard.js";
import { isPromiseLike } from "../is-promise.js";
import { admit, type Dispatch } from "../pipeline/dispatch.js";
import { outcomeOf, settleAsks } from "../pipeline/outcome.js";
import { isSessionId, type Session } from "../pipeline/read-call.js";
import type { DryRunCall, ToolPipeline } from "../pipeline/tool-pipeline.js";
import type { ToolCall } from "../tool.js";
import { checkTimeout } from "../wait.js";
import { announceDecision, announceToolPost, announceToolPre } from "./announce.js";
import { decideBeforePipeline } from "./decide-before-pipeline.js";
import { type DispatchEntry, dispatchAll } from "./dispatch-all.js";
import { dryRunBeforePipeline } from "./dry-run-before-pipeline.js";
import { type EngineOptions, engineEnvironment, readEngineOptions } from "./engine-options.js";
import { objectionOf, objectionResult, tellGuards } from "./guards.js";
import { ObserverHub } from "./observer-hub.js";
import { type Decided, raceCancel, wasCancelled } from "./race-cancel.js";
import { copyOfResult } from "./result-copy.js";

/**
 * Dispatches the tool calls of one run: remembered denials, hooks, questions, guards, then the pipeline; one record at the
 * most, and one `tool_post` for every `tool_pre`, whatever happens.
 */
export class ToolEngine implements AsyncDisposable {
  readonly sessionId: string;
  readonly runId: string;
  readonly #pipeline: ToolPipeline;
  readonly #environment: DispatchEnvironment;
  readonly #session: Session;
  readonly #guards: readonly DispatchGuard[];
  readonly #observers: ObserverHub;
  readonly #inFlight = new Set<DispatchFacts>();
  /** called once nothing is in flight any more */
  readonly #whenIdle: (() => void)[] = [];
  #closed = false;

  constructor(given: EngineOptions) {
    const options = readEngineOptions(given);
    checkTimeout("askTimeoutMs", options.askTimeoutMs);
    checkTimeout("checkTimeoutMs", options.checkTimeoutMs);
    const { pipeline } = options;
    const onReport =
      options.onReport === undefined ? pipeline.environment.onReport : isolatedReport(options.onReport);
    this.#observers = new ObserverHub(options.observers ?? [], onReport);
    this.#environment = engineEnvironment(options, {
      onReport,
      observers: this.#observers,
      whenParked: () => {
        if (this.#closed) this.#callOffWaits();
      },
    });
    this.#pipeline = pipeline;
    this.#guards = options.guards ?? [];
    const { ids } = this.#environment;
    this.sessionId = options.sessionId ?? ids.uuid();
    this.runId = options.runId ?? ids.uuid();
    const ID = "text of at most 128 characters";
    checkOption(isSessionId(this.sessionId), "sessionId", this.sessionId, ID);
    checkOption(isSessionId(this.runId), "runId", this.runId, ID);
    this.#session = {
      sessionId: this.sessionId,
      runId: this.runId,
      isNonInteractive: options.isNonInteractive ?? false,
      ...(options.agent === undefined ? undefined : { agent: options.agent }),
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
    return this.#dispatch(this.#pipeline.begin(call, this.#environment, this.#session, false));
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
    const dispatch = this.#pipeline.begin(call as ToolCall, this.#environment, this.#session, true);
    return dryRunBeforePipeline(dispatch, this.#pipeline, this.#guards);
  }

  /**
   * Takes nothing new and ends every wait as cancelled: asks, checks, hooks and guards. Resolves once the tools that are
   * running have finished and observers have taken what is pending; so a tool, hook, guard or observer of this engine may
   * call it, and must not wait for it.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#callOffWaits();
    if (this.#inFlight.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    await this.#observers.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Ends whatever is waited for, but for tools that run: those finish, in the time that they have. */
  #callOffWaits(): void {
    for (const { recorder, state } of this.#inFlight) {
      const isToolRunning = state.effectiveDigest !== null && !recorder.closed && !recorder.isAsking;
      if (!isToolRunning) recorder.endWaits("cancelled");
    }
  }

  async #dispatch(dispatch: Dispatch): Promise<ToolDispatchResult> {
    const { facts, given } = dispatch;
    this.#inFlight.add(facts);
    try {
      announceToolPre(this.#observers, facts, given.kind === "input" ? given.input : undefined);
      const decided = await this.#decided(dispatch);
      return await (decided === null ? this.#abandon(dispatch) : this.#finish(dispatch, decided));
    } finally {
      this.#inFlight.delete(facts);
      if (this.#inFlight.size === 0) for (const idle of this.#whenIdle.splice(0)) idle();
    }
  }

  /** What the call came to; null where it was called off, by its signal or by `close()`. */
  async #decided(dispatch: Dispatch): Promise<Decided | null> {
    const { facts, signal } = dispatch;
    const { recorder } = facts;
    if (signal?.aborted === true || recorder.cancelled) return null;
    try {
      const deciding = this.#decideAndRun(dispatch);
      const decided = await (signal === undefined ? deciding : raceCancel(deciding, recorder, signal));
      return decided === null || wasCancelled(recorder, decided.result) ? null : decided;
    } catch (cause) {
      // Nothing of ours should throw; if it does, the call has failed, and the run goes on.
      facts.environment.onReport({
        level: "error",
        message: `The call of tool '${facts.toolName}' could not be decided.`,
        cause,
      });
      const text = `Tool '${facts.toolName}' failed: the call could not be decided`;
      return { result: failure(facts.callId, "tool", text), context: null };
    }
  }

  async #decideAndRun(dispatch: Dispatch): Promise<Decided> {
    let admitted = admit(dispatch, this.#pipeline.registry);
    if (isPromiseLike(admitted)) admitted = await admitted;
    if ("refused" in admitted) return { result: admitted.refused, context: null };
    const { context } = admitted;
    // Awaited only where there is something to wait for: an await costs more than a decision.
    const { grants, hooks } = this.#environment;
    if (grants !== undefined || hooks !== undefined) {
      let refused = decideBeforePipeline(context, this.#pipeline);
      if (isPromiseLike(refused)) refused = await refused;
      if (refused !== null) return { result: refused, context: null };
    }
    let objection = objectionOf(this.#guards, context);
    if (isPromiseLike(objection)) {
      // A denial may be remembered while a guard is deciding.
      context.facts.state.recalled = null;
      objection = await objection;
    }
    if (objection !== null) {
      const result = objectionResult(objection, context);
      return objection.action === "stop"
        ? { result, context: null, stop: String(result.output) }
        : { result, context: null };
    }
    const result = await this.#pipeline.run(context);
    if (!context.facts.recorder.closed) tellGuards(this.#guards, context, result);
    return { result, context };
  }

  /** Ends a call that was called off: its record all the same, and `tool_post`. */
  async #abandon(dispatch: Dispatch): Promise<never> {
    const { facts, signal } = dispatch;
    facts.recorder.close();
    announceDecision(this.#observers, facts);
    this.#end(dispatch, "cancelled", null);
    throw new RunCancelledError(
      facts.toolName,
      signal?.aborted === true ? { cause: signal.reason } : undefined,
    );
  }

  /** The record, then the hooks that only watch, then `tool_post`. */
  async #finish(dispatch: Dispatch, decided: Decided): Promise<ToolDispatchResult> {
    const { context, stop } = decided;
    const { recorder } = dispatch.facts;
    recorder.close();
    announceDecision(this.#observers, dispatch.facts);
    const result = { ...decided.result, gate: recorder.deciding, trail: recorder.trail };
    if (context !== null) {
      const watching = this.#environment.hooks?.postToolUse(context, () => copyOfResult(result));
      if (watching !== undefined) await watching;
    }
    this.#end(dispatch, stop === undefined ? outcomeOf(recorder, result) : "stopped", result);
    if (stop !== undefined) throw new RunStoppedError(stop, result);
    return result;
  }

  #end(dispatch: Dispatch, outcome: DispatchOutcome, result: ToolDispatchResult | null): void {
    const { recorder } = dispatch.facts;
    announceToolPost(this.#observers, dispatch.facts, outcome, result);
    if (recorder.asks.length > 0) {
      this.#observers.track(settleAsks(recorder, outcome, this.#environment.onReport));
    }
  }
}
