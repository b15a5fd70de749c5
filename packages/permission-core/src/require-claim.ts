import { PermissionGateError } from "./errors.js";

/** Ten thousand years, so that no sum of times goes beyond what numbers hold exactly. */
const LONGEST_TTL_MS = 315_360_000_000_000;

/**
 * The `ttlMs` of a claim. Throws code `invalid_option` unless the key is a text and the time a whole number of
 * milliseconds, 1 or more: for no time at all nothing would be claimed.
 */
export function requireClaim(key: string, { ttlMs }: { ttlMs: number }): number {
  if (typeof key !== "string")
    throw new PermissionGateError("invalid_option", "the key of a claim is not a text");
  if (Number.isSafeInteger(ttlMs) && ttlMs >= 1 && ttlMs <= LONGEST_TTL_MS) return ttlMs;
  throw new PermissionGateError(
    "invalid_option",
    `ttlMs is not a whole number of milliseconds from 1 to ${LONGEST_TTL_MS}: ${String(ttlMs)}`,
  );
}
