import {
  type AskFunction,
  type AskResolver,
  type Clock,
  type GateDecision,
  type GrantStore,
  type IdSource,
  namedOptions,
  type OnReport,
  PermissionCheck,
  type PermissionMode,
  type PermissionPolicy,
  type WorkspaceReader,
} from "@x/permission-core";
import type { ToolDispatchResult } from "./dispatch-result.js";
import type { DispatchEntry } from "./engine/dispatch-all.js";
import { OF_ENGINE, SEAMS } from "./engine/engine-options.js";
import type { EngineObserver } from "./engine/observer.js";
import { ToolEngine } from "./engine/tool-engine.js";
import type { ToolCheck } from "./gate/gate-settings.js";
import { PermissionMiddleware } from "./gate/permission-middleware.js";
import type { DispatchGuard } from "./guards/guard.js";
import type { PostToolUseHook, PreToolUseHook } from "./hooks/hook.js";
import { roleOf } from "./layers/layer-role.js";
import { type DryRunCall, ToolPipeline } from "./pipeline/tool-pipeline.js";
import type { Tool, ToolCall } from "./tool.js";
import type { ToolMiddleware } from "./tool-middleware.js";

/** One check for every tool, by name; each sees its own tool's parsed input. */
export type ToolChecks<Tools extends readonly Tool[]> = {
  [T in Tools[number] as T["name"]]: ToolCheck<T extends Tool<string, infer Input> ? Input : never>;
};

export interface GateOptions<Tools extends readonly Tool[]> {
  tools: Tools;
  /** who is asked; a function needs somebody at this process */
  askResolver?: AskResolver | AskFunction;
  /** milliseconds until an unanswered ask expires; 0, undefined and Infinity mean never */
  askTimeoutMs?: number;
  /** remembers answers */
  grants?: GrantStore;
  /** the tools for which "always for this tool" may be offered; default none */
  rememberTools?: Iterable<NoInfer<Tools>[number]["name"]>;
  hooks?: readonly (PreToolUseHook | PostToolUseHook)[];
  guards?: readonly DispatchGuard[];
  observers?: readonly EngineObserver[];
  /** layers round the gate, the first outermost; a `MemoizeMiddleware` is put inside it */
  middleware?: readonly ToolMiddleware[];
  /** of the policy; default `default` */
  mode?: PermissionMode | (() => PermissionMode);
  /** what the policy may see of the file system */
  workspace?: WorkspaceReader;
  /** nobody sits at this process; default false */
  isNonInteractive?: boolean;
  /** minted when left out */
  sessionId?: string;
  runId?: string;
  agent?: string;
  /** milliseconds that a check, hook, policy or guard may take; default 30,000 */
  checkTimeoutMs?: number;
  clock?: Clock;
  ids?: IdSource;
  onReport?: OnReport;
}

export interface Gate extends AsyncDisposable {
  readonly sessionId: string;
  readonly runId: string;
  /** See `ToolEngine.dispatch`. */
  dispatch(call: ToolCall): Promise<ToolDispatchResult>;
  /** See `ToolEngine.dispatchAll`. */
  dispatchAll(calls: readonly ToolCall[], options?: { maxConcurrency?: number }): Promise<DispatchEntry[]>;
  /** What would be decided: nothing is asked, saved or run. Never null here. */
  evaluate(call: DryRunCall): Promise<GateDecision | null>;
  close(): Promise<void>;
}

/** Every tool needs a check, or a policy judges those that have none. */
export type Judges<Tools extends readonly Tool[]> =
  | { checks: ToolChecks<Tools>; policy?: PermissionPolicy }
  | { policy: PermissionPolicy; checks?: Partial<ToolChecks<Tools>> };

/**
 * The front door: an engine over a pipeline with one gate. Where a tool has a check and there is a policy, the stricter wins.
 * A tool with neither does not compile, and is denied at run time.
 */
export function createGate<const Tools extends readonly Tool[]>(
  options: GateOptions<Tools> & Judges<Tools>,
): Gate {
  const { tools, policy, middleware = [] } = options;
  const checks = options.checks ?? {};
  // Without a policy a tool that has no check is denied; with one, the policy judges it.
  const gate = policy === undefined ? PermissionMiddleware.denyAll() : PermissionMiddleware.fromContext();
  const seams = namedOptions(options, SEAMS);
  const builder = ToolPipeline.builder(seams).withCore(tools);
  for (const name of new Set([...Object.keys(checks), ...tools.map((tool) => tool.name)])) {
    const check = checkOf(checks, name);
    if (check !== undefined) gate.withToolCheck(name, check);
  }
  if (policy !== undefined) gate.withPolicy(policy, namedOptions(options, { mode: true, workspace: true }));
  for (const layer of middleware) if (roleOf(layer) !== "memoize") builder.withMiddleware(layer);
  builder.withMiddleware(gate);
  for (const layer of middleware) if (roleOf(layer) === "memoize") builder.withMiddleware(layer);
  return new ToolEngine({ ...namedOptions(options, OF_ENGINE), ...seams, pipeline: builder.build() });
}

/** The check of a tool. One that is only inherited denies: without it, a policy would judge the tool alone. */
function checkOf(checks: object, tool: string): ToolCheck<never> | undefined {
  if (Object.hasOwn(checks, tool)) return (checks as Record<string, ToolCheck<never>>)[tool];
  if (!(tool in checks) || tool in Object.prototype) return undefined;
  return PermissionCheck.deny("has a check that is inherited; it must be a property of `checks` itself");
}
