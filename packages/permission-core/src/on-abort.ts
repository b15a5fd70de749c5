const hubs = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` once when `signal` aborts, in order of registration and before `abort()` returns. Gives back the
 * function that unsubscribes. However many subscribe, the signal carries one listener, and none once all have left:
 * ten thousand waits on one long-lived signal neither leak nor warn. On a signal that is already aborted nothing is
 * called; test `signal.aborted` first. A callback that throws stops no other; what it threw is an uncaught exception.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let hub = hubs.get(signal);
  if (hub === undefined) {
    hub = new Set();
    hubs.set(signal, hub);
    signal.addEventListener("abort", announce);
  }
  // A subscription of its own, so that one function may subscribe twice.
  const subscription = () => callback();
  hub.add(subscription);
  return () => {
    if (!hub.delete(subscription) || hub.size > 0 || hubs.get(signal) !== hub) return;
    hubs.delete(signal);
    signal.removeEventListener("abort", announce);
  };
}

function announce(event: Event): void {
  const signal = event.target as AbortSignal;
  const hub = hubs.get(signal);
  if (hub === undefined) return;
  hubs.delete(signal);
  signal.removeEventListener("abort", announce);
  for (const subscription of hub) {
    try {
      subscription();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
