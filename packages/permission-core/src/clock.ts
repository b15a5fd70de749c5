/** Time comes in through this, so that tests can own it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls back once after `delayMs` milliseconds, which may exceed 2^31-1. */
  setTimer(callback: () => void, delayMs: number): { cancel(): void };
}

/** The longest delay that a host timer takes: beyond it, `setTimeout` fires at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The host's clock. Its timers keep the process alive, as `setTimeout` does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    let remainingMs = delayMs;
    let handle: ReturnType<typeof setTimeout>;
    const arm = () => {
      const stepMs = Math.min(remainingMs, LONGEST_DELAY_MS);
      remainingMs -= stepMs;
      handle = setTimeout(remainingMs > 0 ? arm : callback, stepMs);
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  },
};
