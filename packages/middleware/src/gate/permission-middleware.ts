import {
  type AskFunction,
  type AskResolver,
  type Clock,
  type GateDecision,
  type GrantStore,
  type IdSource,
  namedOptions,
  type OnReport,
  type PermissionCheck,
  PermissionGateError,
  type PermissionPolicy,
} from "@x/permission-core";
import { dispatchContextOf } from "../dispatch-context.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import { LAYER_ROLE } from "../layers/layer-role.js";
import type { Tool, ToolContext } from "../tool.js";
import type { NextLayer, ToolDispatchContext, ToolMiddleware } from "../tool-middleware.js";
import { checkTimeout } from "../wait.js";
import { dryRun } from "./dry-run.js";
import { enforce } from "./enforce.js";
import type { CheckFunction, GateSettings, PolicyOptions, ToolCheck } from "./gate-settings.js";
import { toAskResolver } from "./resolver.js";
import { standaloneContext } from "./standalone-context.js";

const POLICY_OPTIONS = { mode: true, audience: true, workspace: true } as const satisfies Record<
  keyof PolicyOptions,
  true
>;

/** What a dry run without a pipeline may be told of the call. */
export interface EvaluateOverrides {
  /** the tool itself, for checks and policies that look at it; default none */
  tool?: Tool;
  callId?: string;
  turn?: number;
  /** default allow */
  permission?: PermissionCheck;
  /** default: a random session and run, interactive */
  toolContext?: Partial<Omit<ToolContext, "signal">>;
  signal?: AbortSignal;
  clock?: Clock;
  ids?: IdSource;
  onReport?: OnReport;
}

/**
 * The permission gate, as a layer of a pipeline. Every `with…` changes and returns this object, and throws `frozen` once it
 * was built into a pipeline. A tool is judged by the check of every tool and by its own, the stricter winning; where it has
 * neither, by what the gate started from; beside these by the policy, the stricter winning again.
 */
export class PermissionMiddleware implements ToolMiddleware {
  readonly name = "permission";
  readonly [LAYER_ROLE] = "gate";
  readonly #settings: GateSettings;
  #frozen = false;

  private constructor(preset: GateSettings["preset"]) {
    this.#settings = {
      preset,
      check: null,
      toolChecks: new Map(),
      policy: null,
      askResolver: null,
      askTimeoutMs: undefined,
      checkTimeoutMs: undefined,
      grants: null,
      revalidating: false,
    };
  }

  /** Honours the claim that comes with a call (`call.permission`, default allow), as earlier layers tightened it. */
  static fromContext(): PermissionMiddleware {
    return new PermissionMiddleware("context");
  }

  /** Denies every tool that gets no check of its own. */
  static denyAll(): PermissionMiddleware {
    return new PermissionMiddleware("deny");
  }

  /** Allows every tool that gets no check of its own, and leaves a record. */
  static allowAll(): PermissionMiddleware {
    return new PermissionMiddleware("allow");
  }

  /** The check of every tool; its record names `middleware`. Replaces the check set before, and its name. */
  withCheck(run: CheckFunction): this {
    return this.#set({ check: { run, ruleId: null } });
  }

  /** As `withCheck`, with the `rule_id` that its records carry, even an empty one. */
  withNamedCheck(ruleId: string, run: CheckFunction): this {
    return this.#set({ check: { run, ruleId } });
  }

  /** The check of one tool, which sees the tool's parsed input. Replaces the one set before for that tool. */
  withToolCheck<Input = unknown>(tool: string, check: ToolCheck<Input>): this {
    this.#set({});
    this.#settings.toolChecks.set(tool, check);
    return this;
  }

  /** A policy, in `mode` `default` and for audience `main` unless said otherwise. */
  withPolicy(policy: PermissionPolicy, options: PolicyOptions = {}): this {
    return this.#set({ policy: { ...namedOptions(options, POLICY_OPTIONS), policy } });
  }

  /** Who answers when a check asks. A function needs somebody at this process, so unattended runs do not call it. */
  withAskResolver(resolver: AskResolver | AskFunction): this {
    return this.#set({ askResolver: toAskResolver(resolver) });
  }

  /** Milliseconds until an unanswered ask expires; 0 and Infinity mean never, which is the default. */
  withAskTimeout(timeoutMs: number): this {
    checkTimeout("withAskTimeout", timeoutMs);
    return this.#set({ askTimeoutMs: timeoutMs });
  }

  /** Milliseconds that a check or policy may take; default 30,000. One that takes longer denies. */
  withCheckTimeout(timeoutMs: number): this {
    checkTimeout("withCheckTimeout", timeoutMs);
    return this.#set({ checkTimeoutMs: timeoutMs });
  }

  /**
   * Where answers are remembered and found again. "Always for this tool" is offered only for the tools named in
   * `rememberTools`; default none.
   */
  withGrants(store: GrantStore, options: { rememberTools?: Iterable<string> } = {}): this {
    return this.#set({ grants: { store, rememberTools: new Set(options.rememberTools) } });
  }

  /** Judges a rewritten input by the tool's own validator, and denies with its message what it refuses. */
  revalidatingModify(): this {
    return this.#set({ revalidating: true });
  }

  /** Called when a pipeline is built: from here on the gate does not change. */
  freeze(): void {
    this.#frozen = true;
  }

  dispatch(context: ToolDispatchContext, next: NextLayer): Promise<ToolDispatchResult> {
    return enforce(this.#settings, dispatchContextOf(context), next);
  }

  /** What would be decided of a call, without a pipeline: nothing is asked, saved or run. `ts` is 0. */
  evaluate(toolName: string, input: unknown, overrides?: EvaluateOverrides): Promise<GateDecision>;
  /** The same as a layer of a pipeline's dry run. */
  evaluate(
    context: ToolDispatchContext,
    next: () => Promise<GateDecision | null>,
  ): Promise<GateDecision | null>;
  async evaluate(
    call: string | ToolDispatchContext,
    given: unknown,
    overrides: EvaluateOverrides = {},
  ): Promise<GateDecision | null> {
    if (typeof call !== "string") {
      return dryRun(this.#settings, dispatchContextOf(call), given as () => Promise<GateDecision | null>);
    }
    const context = standaloneContext(call, given, overrides);
    return "decision" in context
      ? context.decision
      : dryRun(this.#settings, context.context, async () => null);
  }

  #set(change: Partial<GateSettings>): this {
    if (this.#frozen) {
      throw new PermissionGateError(
        "frozen",
        "This gate was built into a pipeline and cannot change; finish it before build(), or make another.",
      );
    }
    Object.assign(this.#settings, change);
    return this;
  }
}
