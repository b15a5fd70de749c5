import {
  argsDigest,
  type GateDecision,
  type GateVerdict,
  type JsonValue,
  type PermissionCheck,
  type PermissionDecision,
  type PermissionPolicy,
} from "@x/permission-core";
import { ManualClock, sequentialIds } from "@x/permission-core/testing";
import {
  PermissionMiddleware,
  type Tool,
  type ToolCall,
  type ToolMiddleware,
  ToolPipeline,
  ToolRegistry,
} from "../../src/index.js";
import { reports } from "./layered-gates.js";

/** What the rig's calls carry unless told otherwise, and its digest. */
export const INPUT: JsonValue = { path: "/tmp/x" };
export const INPUT_DIGEST: string = argsDigest(INPUT);

interface RigOptions {
  tool?: Partial<Tool>;
  checkTimeoutMs?: number;
}

interface CallOptions {
  toolName?: string;
  callId?: string;
  turn?: number;
  input?: unknown;
  inputText?: string;
  signal?: AbortSignal;
  permission?: PermissionCheck;
  toolContext?: NonNullable<ToolCall["toolContext"]>;
}

/** A pipeline of these layers round a tool `t` that keeps what it was called with, on a clock that stands still. */
export function gateRig(layers: ToolMiddleware | readonly ToolMiddleware[], options: RigOptions = {}) {
  const clock = new ManualClock();
  const { seen, onReport } = reports();
  const inputs: JsonValue[] = [];
  const tool: Tool = {
    name: "t",
    description: "Says that it ran",
    inputSchema: {},
    call(input) {
      inputs.push(input as JsonValue);
      return "ran";
    },
    ...options.tool,
  };
  const registry = new ToolRegistry([tool]);
  const builder = ToolPipeline.builder({
    clock,
    ids: sequentialIds(),
    onReport,
    ...(options.checkTimeoutMs === undefined ? undefined : { checkTimeoutMs: options.checkTimeoutMs }),
  })
    .withCore(registry)
    .withoutGate();
  for (const layer of [layers].flat() as ToolMiddleware[]) builder.withMiddleware(layer);
  const pipeline = builder.build();
  const invoke = (call: CallOptions = {}) => pipeline.invoke(toCall(tool, call));
  const evaluate = (call: CallOptions = {}) => pipeline.evaluate(toCall(tool, call));
  const warnings = () => seen.filter((event) => event.level === "warn");
  const errors = () => seen.filter((event) => event.level === "error");
  return { clock, inputs, tool, registry, pipeline, invoke, evaluate, reports: seen, warnings, errors };
}

function toCall(tool: Tool, call: CallOptions): ToolCall {
  const input = "input" in call || "inputText" in call ? undefined : { input: structuredClone(INPUT) };
  return { toolName: tool.name, callId: "c1", ...input, ...call } as ToolCall;
}

/** A gate with one check that says always the same. */
export function gateSaying(check: PermissionCheck): PermissionMiddleware {
  return PermissionMiddleware.fromContext().withCheck(() => check);
}

/** A record of the rig's call. */
export function recordOf(
  verdict: GateVerdict,
  ruleId: string,
  source: GateDecision["rule_source"],
  reason: string | null = null,
  changes: Partial<GateDecision> = {},
): GateDecision {
  return {
    tool: "t",
    args_digest: INPUT_DIGEST,
    verdict,
    rule_id: ruleId,
    rule_source: source,
    matched_pattern: null,
    reason,
    ts: 0,
    ...changes,
  };
}

/** A decision of a policy in which no rule decided. */
export function policyDecision(
  effect: PermissionDecision["effect"],
  changes: Partial<PermissionDecision> = {},
): PermissionDecision {
  return {
    effect,
    reason: `the policy says ${effect}`,
    rule: null,
    configuredAsk: false,
    flooredConfiguredAllow: false,
    parts: [],
    ...changes,
  };
}

/** A policy that decides by `evaluate` and learns nothing unless told otherwise. */
export function stubPolicy(
  evaluate: PermissionDecision | PermissionPolicy["evaluate"],
  learning: Partial<Pick<PermissionPolicy, "learn" | "learnable">> = {},
): PermissionPolicy {
  return {
    evaluate: typeof evaluate === "function" ? evaluate : () => evaluate,
    learn: learning.learn ?? (() => null),
    learnable: learning.learnable ?? (() => null),
  };
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Lets everything that is ready to go on do so. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
