import { type Clock, onAbort } from "@x/permission-core";

/** Resolves after `ms`; rejects with the reason of `signal` when that aborts before. Leaves neither timer nor listener. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = clock.setTimer(() => {
      unsubscribe();
      resolve();
    }, ms);
    const unsubscribe = onAbort(signal, () => {
      timer.cancel();
      reject(signal.reason);
    });
  });
}
