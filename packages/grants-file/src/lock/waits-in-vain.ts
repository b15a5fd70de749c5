/** By file: since when its lock is waited for in vain in this process, by `performance.now()`. */
const inVainSince = new Map<string, number>();

/**
 * What is left of `timeoutMs` to a call that was asked for at `askedMs`, by `performance.now()`, and begins to wait now.
 * Calls of one process wait in turn. Where those before it waited for the same lock in vain, it has waited for it, too.
 */
export function patienceLeft(file: string, askedMs: number, timeoutMs: number): number {
  const nowMs = performance.now();
  const sinceMs = Math.max(askedMs, inVainSince.get(file) ?? nowMs);
  return Math.max(0, timeoutMs - (nowMs - sinceMs));
}

/** To be told of a call that began to wait at `sinceMs`, and gave up. */
export function waitedInVain(file: string, sinceMs: number): void {
  if (!inVainSince.has(file)) inVainSince.set(file, sinceMs);
}

/** To be told of a call that got the lock. */
export function waitedWell(file: string): void {
  inVainSince.delete(file);
}
