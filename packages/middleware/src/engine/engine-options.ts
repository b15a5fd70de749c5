import {
  type AskFunction,
  type AskResolver,
  type Clock,
  type GrantStore,
  type IdSource,
  namedOptions,
  type OnReport,
} from "@x/permission-core";
import { type DispatchEnvironment, wholeMilliseconds } from "../environment.js";
import { toAskResolver } from "../gate/resolver.js";
import type { DispatchGuard } from "../guards/guard.js";
import type { PostToolUseHook, PreToolUseHook } from "../hooks/hook.js";
import { HookExecutor } from "../hooks/hook-executor.js";
import type { ToolPipeline } from "../pipeline/tool-pipeline.js";
import { announceAskAnswered, announceAskParked } from "./announce.js";
import type { EngineObserver } from "./observer.js";
import type { ObserverHub } from "./observer-hub.js";

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

export const SEAMS = { clock: true, ids: true, onReport: true } as const;

/** What an engine has of its own, beside the seams and the pipeline. */
export const OF_ENGINE = {
  askResolver: true,
  askTimeoutMs: true,
  grants: true,
  rememberTools: true,
  hooks: true,
  guards: true,
  observers: true,
  isNonInteractive: true,
  sessionId: true,
  runId: true,
  agent: true,
  checkTimeoutMs: true,
} as const satisfies Record<Exclude<keyof EngineOptions, "pipeline" | keyof typeof SEAMS>, true>;

/** A copy, in which each was read once: what is checked is what counts. */
export function readEngineOptions(options: EngineOptions): EngineOptions {
  return namedOptions(options, { pipeline: true, ...SEAMS, ...OF_ENGINE });
}

/** Where the dispatches of an engine take place: what its options say, else what its pipeline has. */
export function engineEnvironment(
  options: EngineOptions,
  parts: { onReport: OnReport; observers: ObserverHub; whenParked: () => void },
): DispatchEnvironment {
  const { hooks, askResolver, askTimeoutMs, grants } = options;
  const { onReport, observers, whenParked } = parts;
  const fallback = options.pipeline.environment;
  const clock = options.clock === undefined ? fallback.clock : wholeMilliseconds(options.clock);
  return {
    clock,
    ids: options.ids ?? fallback.ids,
    onReport,
    checkTimeoutMs: options.checkTimeoutMs ?? fallback.checkTimeoutMs,
    rememberTools: new Set(options.rememberTools),
    onAskParked: (ask) => {
      announceAskParked(observers, ask, clock.now());
      whenParked();
    },
    onAskAnswered: (ask, verdict, decidedBy) =>
      announceAskAnswered(observers, ask, { verdict, decidedBy, ts: clock.now() }),
    ...(askResolver === undefined ? undefined : { askResolver: toAskResolver(askResolver) }),
    ...(askTimeoutMs === undefined ? undefined : { askTimeoutMs }),
    ...(grants === undefined ? undefined : { grants }),
    ...(hooks === undefined
      ? undefined
      : {
          hooks: hooks instanceof HookExecutor ? hooks : new HookExecutor(hooks as readonly PreToolUseHook[]),
        }),
  };
}
