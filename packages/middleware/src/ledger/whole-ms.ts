/** Unix ms as a line holds them: whole, and 0 for what is no time. Clocks may tell fractions, or anything. */
export function wholeMs(time: number): number {
  const whole = Math.floor(time);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
}

/** The same of a time that may be missing, or never come: null. */
export function wholeMsOrNull(time: number | null | undefined): number | null {
  return time === undefined || time === null || time === Number.POSITIVE_INFINITY ? null : wholeMs(time);
}
