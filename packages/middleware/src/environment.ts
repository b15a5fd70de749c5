import {
  type AskResolver,
  type Clock,
  type GateVerdict,
  type GrantStore,
  type IdSource,
  isolatedReport,
  type OnReport,
  type PendingAsk,
  randomIds,
  systemClock,
} from "@x/permission-core";
import type { HookExecutor } from "./hooks/hook-executor.js";

/** Milliseconds that a check, hook, policy or guard may take before it counts as failed. */
const DEFAULT_CHECK_TIMEOUT_MS = 30_000;

/** What a dispatch runs in: the seams, and what gates without their own fall back on. */
export interface DispatchEnvironment {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly onReport: OnReport;
  readonly checkTimeoutMs: number;
  readonly askResolver?: AskResolver;
  readonly askTimeoutMs?: number;
  readonly grants?: GrantStore;
  /** tools for which "always for this tool" may be offered */
  readonly rememberTools: ReadonlySet<string>;
  /** the session-wide hooks, which also judge an approver's rewrite */
  readonly hooks?: HookExecutor;
  onAskParked?(ask: PendingAsk): void;
  onAskAnswered?(ask: PendingAsk, verdict: GateVerdict, decidedBy: string | null): void;
}

export interface EnvironmentOptions {
  clock?: Clock | undefined;
  ids?: IdSource | undefined;
  onReport?: OnReport | undefined;
  checkTimeoutMs?: number | undefined;
}

export function createEnvironment(options: EnvironmentOptions = {}): DispatchEnvironment {
  return {
    clock: options.clock === undefined ? systemClock : wholeMilliseconds(options.clock),
    ids: options.ids ?? randomIds,
    onReport: isolatedReport(options.onReport),
    checkTimeoutMs: options.checkTimeoutMs ?? DEFAULT_CHECK_TIMEOUT_MS,
    rememberTools: new Set(),
  };
}

/** The same clock; its times are whole, as records hold them. */
export function wholeMilliseconds(clock: Clock): Clock {
  return {
    now: () => Math.floor(clock.now()),
    setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
  };
}
