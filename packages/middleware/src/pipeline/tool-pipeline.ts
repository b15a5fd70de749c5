import {
  type Clock,
  type GateDecision,
  type IdSource,
  namedOptions,
  type OnReport,
  PermissionGateError,
} from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import { createEnvironment, type DispatchEnvironment } from "../environment.js";
import { decisionOf } from "../gate/decision.js";
import { POLICY_ERROR } from "../gate/texts.js";
import { isPromiseLike } from "../is-promise.js";
import { checkLayers } from "../layers/check-layers.js";
import { roleOf } from "../layers/layer-role.js";
import type { Tool, ToolCall } from "../tool.js";
import type { ToolMiddleware } from "../tool-middleware.js";
import { checkTimeout } from "../wait.js";
import { admit, beginDispatch, type Dispatch } from "./dispatch.js";
import { dryRunRefusal } from "./dry-run-refusal.js";
import { outcomeOf, settleAsks } from "./outcome.js";
import { NOBODY, type Session } from "./read-call.js";
import { runTool } from "./run-tool.js";
import { ToolRegistry } from "./tool-registry.js";

export interface PipelineOptions {
  /** default: the system clock */
  clock?: Clock;
  /** default: random UUIDs */
  ids?: IdSource;
  /** default: `console.warn` */
  onReport?: OnReport;
  /** milliseconds that a check, policy or validator may take; default 30,000 */
  checkTimeoutMs?: number;
}

const OPTIONS = {
  clock: true,
  ids: true,
  onReport: true,
  checkTimeoutMs: true,
} as const satisfies Record<keyof PipelineOptions, true>;

/** Builds a {@link ToolPipeline}. The layer registered first is the outermost. */
export class ToolPipelineBuilder {
  readonly #options: PipelineOptions;
  readonly #layers: ToolMiddleware[] = [];
  #core: ToolRegistry | null = null;
  #ungated = false;

  constructor(options: PipelineOptions) {
    this.#options = namedOptions(options, OPTIONS);
    checkTimeout("checkTimeoutMs", this.#options.checkTimeoutMs);
  }

  /** The tools at the heart of the pipeline. */
  withCore(core: ToolRegistry | Iterable<Tool>): this {
    this.#core = Symbol.iterator in core ? new ToolRegistry(core) : core;
    return this;
  }

  withMiddleware(layer: ToolMiddleware): this {
    this.#layers.push(layer);
    return this;
  }

  /** Says that no permission gate is wanted here. */
  withoutGate(): this {
    this.#ungated = true;
    return this;
  }

  /**
   * Throws `no_core` without tools, `no_gate` without a `PermissionMiddleware` unless `withoutGate()` was called, and
   * `invalid_option` where a `MemoizeMiddleware` stands outside a gate.
   */
  build(): ToolPipeline {
    if (this.#core === null) {
      throw new PermissionGateError("no_core", "The pipeline has no tools; call withCore() before build().");
    }
    checkLayers(this.#layers, { ungated: this.#ungated });
    return new ToolPipeline(this.#core, [...this.#layers], createEnvironment(this.#options));
  }
}

/** Runs tool calls through layers. It works alone, or inside a `ToolEngine`. Made by `ToolPipeline.builder()`. */
export class ToolPipeline {
  readonly registry: ToolRegistry;
  readonly environment: DispatchEnvironment;
  readonly #layers: readonly ToolMiddleware[];
  readonly #foreignLayers: boolean;

  constructor(registry: ToolRegistry, layers: readonly ToolMiddleware[], environment: DispatchEnvironment) {
    this.registry = registry;
    this.environment = environment;
    this.#layers = layers;
    this.#foreignLayers = layers.some((layer) => roleOf(layer) === null);
  }

  static builder(options: PipelineOptions = {}): ToolPipelineBuilder {
    return new ToolPipelineBuilder(options);
  }

  /** Runs a call. Never throws for a failure of a tool, a layer or a validator: that is an error result. */
  async invoke(call: ToolCall): Promise<ToolDispatchResult> {
    const dispatch = this.begin(call, this.environment, NOBODY, false);
    const { recorder } = dispatch.facts;
    let admitted = admit(dispatch, this.registry);
    if (isPromiseLike(admitted)) admitted = await admitted;
    let result: ToolDispatchResult;
    if ("refused" in admitted) result = admitted.refused;
    else {
      try {
        result = resultOf(await this.#enter(0, admitted.context));
      } catch (cause) {
        result = layerFailed(admitted.context, cause);
      }
    }
    recorder.close();
    if (recorder.asks.length > 0)
      void settleAsks(recorder, outcomeOf(recorder, result), this.environment.onReport);
    return { ...result, gate: recorder.deciding, trail: recorder.trail };
  }

  /** What would be decided of a call: nothing is asked, saved or run. Null where nothing gates. */
  async evaluate(call: DryRunCall): Promise<GateDecision | null> {
    const dispatch = this.begin(call as ToolCall, this.environment, NOBODY, true);
    let admitted = admit(dispatch, this.registry);
    if (isPromiseLike(admitted)) admitted = await admitted;
    return "refused" in admitted
      ? dryRunRefusal(dispatch.facts, admitted.refused)
      : this.dryRun(admitted.context);
  }

  /** Reads a call. For engines, which bring an environment and a session of their own. */
  begin(call: ToolCall, environment: DispatchEnvironment, session: Session, dryRun: boolean): Dispatch {
    const place = { registry: this.registry, environment, foreignLayers: this.#foreignLayers, session };
    return beginDispatch(call, place, dryRun);
  }

  /** Runs a call that was admitted, up to its result. For engines, which close the record themselves. */
  async run(context: DispatchContext): Promise<ToolDispatchResult> {
    try {
      return resultOf(await this.#enter(0, context));
    } catch (cause) {
      return layerFailed(context, cause);
    }
  }

  /** The dry run of a call that was admitted. */
  async dryRun(context: DispatchContext): Promise<GateDecision | null> {
    try {
      return await this.#enterDry(0, context);
    } catch (cause) {
      context.facts.environment.onReport({
        level: "error",
        message: `A layer of the pipeline failed in the dry run of a call of tool '${context.toolName}'.`,
        cause,
      });
      return decisionOf(context, "deny", "engine", "engine", POLICY_ERROR);
    }
  }

  #enter(index: number, context: DispatchContext): Promise<ToolDispatchResult> {
    try {
      const layer = this.#layers[index];
      if (layer === undefined) return runTool(context);
      return layer.dispatch(context, (inner) =>
        this.#enter(index + 1, inner === undefined ? context : context.derive(inner.signal)),
      );
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #enterDry(index: number, context: DispatchContext): Promise<GateDecision | null> {
    const layer = this.#layers[index];
    if (layer === undefined) return null;
    const next = () => this.#enterDry(index + 1, context);
    return layer.evaluate === undefined ? next() : layer.evaluate(context, next);
  }
}

/** A layer may be plain JavaScript, and give something that cannot be handed on as a result. */
function resultOf(value: unknown): ToolDispatchResult {
  if (typeof value === "object" && value !== null && "output" in value && "isError" in value) {
    return value as ToolDispatchResult;
  }
  throw new TypeError("A layer gave no result of a dispatch.");
}

function layerFailed(context: DispatchContext, cause: unknown): ToolDispatchResult {
  context.facts.environment.onReport({
    level: "error",
    message: `A layer of the pipeline failed on a call of tool '${context.toolName}'.`,
    cause,
  });
  const text = `Tool '${context.toolName}' failed: a layer around it threw an error`;
  return failure(context.callId, "tool", text);
}

/** A call that is only asked about. */
export type DryRunCall = ToolCall extends infer Call
  ? Call extends ToolCall
    ? Omit<Call, "callId"> & { callId?: string }
    : never
  : never;
