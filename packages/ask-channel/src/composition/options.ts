import { type Clock, type OnReport, PermissionGateError } from "@x/permission-core";

export interface CompositionOptions {
  /**
   * Told of what a composition passes over: a member that is unavailable, an approval that does not count, a member
   * that fails when it is told the end. Default `console.warn`.
   */
  onReport?: OnReport;
}

export interface TimedCompositionOptions extends CompositionOptions {
  /** Default: the host's clock. */
  clock?: Clock;
}

/** Throws code `invalid_option` unless `value` is left out or a number of milliseconds from 0 up, Infinity included. */
export function checkMs(option: string, value: number | undefined): void {
  if (value === undefined || (typeof value === "number" && value >= 0)) return;
  throw new PermissionGateError(
    "invalid_option",
    `${option} is ${String(value)}; give milliseconds, 0 or more`,
  );
}
