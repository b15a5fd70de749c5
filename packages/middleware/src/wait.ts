import {
  type Awaitable,
  type Clock,
  isPermissionGateError,
  onAbort,
  PermissionGateError,
} from "@x/permission-core";

/** How a wait ended. `expired`: its own deadline, or that of a layer outside. */
export type Ending<T> =
  | { kind: "value"; value: T }
  | { kind: "thrown"; error: unknown }
  | { kind: "cancelled" }
  | { kind: "expired" };

/** A wait that a layer outside can end, when it ends the whole dispatch. */
export interface OpenWait {
  end(kind: "cancelled" | "expired"): void;
}

export interface WaitOptions<T, R> {
  /** Begins what is waited for. Its signal fires when the wait ends without it, and has fired where it is over already. */
  start(signal: AbortSignal): Awaitable<T>;
  /** Called once, synchronously, when the wait has ended; what it gives is what the wait gives. */
  conclude(ending: Ending<T>): Awaitable<R>;
  signal: AbortSignal;
  /** milliseconds; 0, undefined and Infinity mean no deadline */
  timeoutMs: number | undefined;
  clock: Clock;
  /** the open waits of the dispatch; this wait is among them while it lasts */
  openWaits: Set<OpenWait>;
}

/**
 * How many turns of the microtask queue a value that was already given has to come through, once the deadline has
 * passed: an answer may pass several promises on its way (a channel, a composition), and one that was accepted counts.
 */
const SETTLING_TURNS = 64;

/**
 * Waits for `start()`, for the cancel signal and for the deadline. Each only leaves a mark; the wait settles in a
 * microtask and takes, of what is marked by then, cancel first, then the value, then the deadline. What is waited for
 * learns of a cancel as it happens, before anybody can answer any more; of the deadline once no answer came through.
 */
export function waitFor<T, R>(options: WaitOptions<T, R>): Promise<R> {
  const { signal, openWaits } = options;
  return new Promise<R>((resolve, reject) => {
    const inner = new AbortController();
    let cancelled = false;
    let expired = false;
    let settled: Ending<T> | null = null;
    let done = false;
    let timer: { cancel(): void } | null = null;

    const abort = (code: "ask_cancelled" | "ask_expired", message: string) =>
      inner.abort(new PermissionGateError(code, message));
    const finish = () => {
      if (done) return;
      done = true;
      unsubscribe();
      timer?.cancel();
      openWaits.delete(handle);
      if (!cancelled && settled === null) abort("ask_expired", "The deadline passed.");
      try {
        resolve(options.conclude(cancelled ? { kind: "cancelled" } : (settled ?? { kind: "expired" })));
      } catch (error) {
        reject(error);
      }
    };
    const settle = (turns: number) => {
      if (cancelled || settled !== null || turns === 0) finish();
      else queueMicrotask(() => settle(turns - 1));
    };
    const cancel = () => {
      if (done) return;
      cancelled = true;
      abort("ask_cancelled", "The call was cancelled.");
      queueMicrotask(finish);
    };
    const expire = () => {
      if (done || expired) return;
      expired = true;
      settle(SETTLING_TURNS);
    };
    const mark = (ending: Ending<T>) => {
      settled = ending;
      queueMicrotask(finish);
    };
    const handle: OpenWait = {
      end(kind) {
        if (kind === "cancelled") cancel();
        else expire();
        finish();
      },
    };

    openWaits.add(handle);
    const unsubscribe = onAbort(signal, () => (isDeadline(signal) ? expire() : cancel()));
    if (signal.aborted) {
      if (isDeadline(signal)) expire();
      else cancel();
    } else if (hasDeadline(options.timeoutMs)) {
      timer = options.clock.setTimer(expire, options.timeoutMs);
    }
    let begun: Awaitable<T>;
    try {
      begun = options.start(inner.signal);
    } catch (error) {
      mark({ kind: "thrown", error });
      return;
    }
    Promise.resolve(begun).then(
      (value) => mark({ kind: "value", value }),
      (error: unknown) => mark({ kind: "thrown", error }),
    );
  });
}

/** Resolves once whatever was resolved by now has had its turns to come through. */
export async function settlingTurns(): Promise<void> {
  for (let turn = 0; turn < SETTLING_TURNS; turn++) await null;
}

/** Whether `timeoutMs` sets a deadline at all. */
export function hasDeadline(timeoutMs: number | undefined): timeoutMs is number {
  return timeoutMs !== undefined && timeoutMs > 0 && timeoutMs !== Number.POSITIVE_INFINITY;
}

/** Whether a layer outside gave up for lack of time, rather than somebody cancelling the call. */
export function isDeadline(signal: AbortSignal): boolean {
  return signal.aborted && isPermissionGateError(signal.reason, "ask_expired");
}

/** Throws `invalid_option` unless `value` is left out or a number of milliseconds from 0 up, Infinity included. */
export function checkTimeout(option: string, value: number | undefined): void {
  if (value === undefined || (typeof value === "number" && value >= 0)) return;
  throw new PermissionGateError(
    "invalid_option",
    `${option} is ${String(value)}; give milliseconds, 0 or more (0 or Infinity for no deadline).`,
  );
}
