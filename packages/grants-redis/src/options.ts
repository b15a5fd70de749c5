import { PermissionGateError } from "@x/permission-core";

export const DEFAULT_PREFIX = "permission-gate";
export const DEFAULT_TIMEOUT_MS = 2_000;

/** What every store of this package can be told. */
export interface RedisStoreOptions {
  /** Begins every key, with a colon after it; 1 to 200 characters, no braces. Default `permission-gate`. */
  prefix?: string;
  /** Milliseconds after which an operation that Redis did not answer fails with code `storage`. Default 2,000. */
  timeoutMs?: number;
}

/** The longest time that timers take. */
const LONGEST_MS = 2 ** 31 - 1;

/** Gives `ms` back. Throws code `invalid_option` unless it is a whole number of milliseconds from `least` on. */
export function requireMs(option: string, ms: number, least = 1): number {
  if (Number.isInteger(ms) && ms >= least && ms <= LONGEST_MS) return ms;
  throw new PermissionGateError(
    "invalid_option",
    `${option} is not a whole number of milliseconds from ${least} to ${LONGEST_MS}: ${String(ms)}`,
  );
}
