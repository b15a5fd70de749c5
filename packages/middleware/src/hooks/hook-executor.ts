import { cloneJson, type JsonValue } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import { HOOK_ERROR } from "../gate/texts.js";
import { isPromiseLike } from "../is-promise.js";
import { memberGetter } from "../member-getter.js";
import { waitFor } from "../wait.js";
import {
  type HookAction,
  isHookAction,
  type PostToolUseHook,
  type PreToolUseEvent,
  type PreToolUseHook,
} from "./hook.js";

/** What all hooks together say of a call, and which of them decided. */
export type HookVerdict =
  | { kind: "allow" }
  | { kind: "block"; name: string; reason: string }
  | { kind: "ask"; name: string; prompt: string; details?: string }
  /** the call was cancelled while this hook was deciding */
  | { kind: "cancelled"; name: string };

const ALLOW: HookVerdict = { kind: "allow" };

/**
 * Consults every hook in order. The first block wins over any ask; then the first ask counts. A hook that throws, takes
 * longer than the engine's `checkTimeoutMs` or gives no action blocks with `hook error`. An executor belongs to one engine
 * or to many; it keeps nothing.
 */
export class HookExecutor {
  readonly #before: readonly PreToolUseHook[];
  readonly #after: readonly PostToolUseHook[];

  constructor(hooks: readonly (PreToolUseHook | PostToolUseHook)[]) {
    this.#before = hooks.filter((hook): hook is PreToolUseHook => "preToolUse" in hook);
    this.#after = hooks.filter((hook): hook is PostToolUseHook => "postToolUse" in hook);
  }

  /** Synchronous as long as every hook is. */
  preToolUse(context: DispatchContext): HookVerdict | Promise<HookVerdict> {
    return this.#consult(context, 0, ALLOW);
  }

  #consult(context: DispatchContext, from: number, soFar: HookVerdict): HookVerdict | Promise<HookVerdict> {
    let verdict = soFar;
    for (let index = from; index < this.#before.length; index++) {
      const hook = this.#before[index] as PreToolUseHook;
      if (context.ended) return { kind: "cancelled", name: nameOf(hook) };
      const said = runHook(hook, context);
      if (isPromiseLike(said)) {
        return Promise.resolve(said).then((later) =>
          later.kind === "cancelled" ? later : this.#consult(context, index + 1, foremost(verdict, later)),
        );
      }
      verdict = foremost(verdict, said);
    }
    return verdict;
  }

  /** Shows a finished call to every observer among the hooks, in order. What they throw is reported. */
  postToolUse(context: DispatchContext, result: () => ToolDispatchResult): Promise<void> | undefined {
    if (this.#after.length === 0) return undefined;
    return this.#observe(context, result);
  }

  async #observe(context: DispatchContext, result: () => ToolDispatchResult): Promise<void> {
    const { environment, recorder } = context.facts;
    let { signal } = context;
    for (const hook of this.#after) {
      await waitFor<void, void>({
        start: () => hook.postToolUse(finishedEventOf(context, result)),
        conclude(ending) {
          if (ending.kind === "value") return;
          if (ending.kind === "cancelled") {
            // The others are told all the same, and not waited for either.
            signal = AbortSignal.abort();
            return;
          }
          environment.onReport({
            level: "error",
            message: `The hook '${nameOf(hook)}' failed after a call of tool '${context.toolName}'.`,
            cause: ending.kind === "thrown" ? ending.error : "It took too long.",
          });
        },
        signal,
        timeoutMs: environment.checkTimeoutMs,
        clock: environment.clock,
        openWaits: recorder.openWaits,
      });
    }
  }
}

function foremost(held: HookVerdict, said: HookVerdict): HookVerdict {
  if (held.kind === "block" || said.kind === "allow") return held;
  return said.kind === "block" || held.kind === "allow" ? said : held;
}

function nameOf(hook: { name?: string }): string {
  return hook.name ?? "hook";
}

/** What a hook sees. The input is a copy, made when a hook looks at it: hooks judge a call, and change nothing of it. */
class HookEvent implements PreToolUseEvent {
  static readonly #INPUT = memberGetter(HookEvent.prototype, "input");
  static readonly #SIGNAL = memberGetter(HookEvent.prototype, "signal");
  readonly toolName: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly callId: string;
  readonly dryRun: boolean;
  readonly #context: DispatchContext;
  #input: JsonValue | undefined;

  constructor(context: DispatchContext) {
    const { session, dryRun } = context.facts;
    this.toolName = context.toolName;
    this.sessionId = session.sessionId;
    this.runId = session.runId;
    this.turn = context.turn;
    this.callId = context.callId;
    this.dryRun = dryRun;
    this.#context = context;
    Object.defineProperty(this, "input", HookEvent.#INPUT);
    Object.defineProperty(this, "signal", HookEvent.#SIGNAL);
  }

  get input(): JsonValue {
    this.#input ??= cloneJson(this.#context.input);
    return this.#input;
  }

  /** Most hooks never look, and making a signal costs more than a whole decision. */
  get signal(): AbortSignal {
    return this.#context.signal;
  }
}

function finishedEventOf(context: DispatchContext, result: () => ToolDispatchResult) {
  return Object.assign(new HookEvent(context), { result: result() });
}

function runHook(hook: PreToolUseHook, context: DispatchContext): HookVerdict | Promise<HookVerdict> {
  const name = nameOf(hook);
  const failed = (cause: unknown): HookVerdict => {
    context.facts.environment.onReport({
      level: "error",
      message: `The hook '${name}' failed on a call of tool '${context.toolName}'; the call is blocked.`,
      cause,
    });
    return { kind: "block", name, reason: HOOK_ERROR };
  };
  const read = (action: HookAction | undefined): HookVerdict => {
    if (action === undefined) return ALLOW;
    try {
      const own = { ...action };
      return isHookAction(own) ? named(own, name) : failed("It gave no hook action.");
    } catch (error) {
      return failed(error);
    }
  };
  try {
    const action = hook.preToolUse(new HookEvent(context));
    if (!isPromiseLike(action)) return read(action);
    const { environment, recorder } = context.facts;
    return waitFor<HookAction | undefined, HookVerdict>({
      start: () => action,
      conclude(ending) {
        if (ending.kind === "value") return read(ending.value);
        if (ending.kind === "cancelled") return { kind: "cancelled", name };
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

function named(action: HookAction, name: string): HookVerdict {
  switch (action.kind) {
    case "allow":
      return ALLOW;
    case "block":
      return { kind: "block", name, reason: action.reason };
    case "ask":
      return action.details === undefined
        ? { kind: "ask", name, prompt: action.prompt }
        : { kind: "ask", name, prompt: action.prompt, details: action.details };
  }
}
