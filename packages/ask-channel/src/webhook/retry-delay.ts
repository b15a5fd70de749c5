/** The longest pause between two attempts that nobody asked for. */
const LONGEST_BACK_OFF_MS = 10_000;

/**
 * How long to pause after the attempt of this number, counted from 1: twice as long each time, of which a random part of up to
 * half is taken off. `random` is from 0 to 1. What the endpoint asks for is respected where it is longer.
 */
export function retryDelayMs(
  attempt: number,
  { firstDelayMs, retryAfterMs, random }: { firstDelayMs: number; retryAfterMs: number; random: number },
): number {
  const backOffMs = Math.min(firstDelayMs * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
  return Math.max(backOffMs * (1 - random / 2), retryAfterMs);
}

/** What `Retry-After` asks for, in ms from now: seconds or an HTTP date. 0 where it is absent, past, or neither. */
export function retryAfterMs(value: string | null, nowMs: number): number {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? 0 : Math.max(dateMs - nowMs, 0);
}
