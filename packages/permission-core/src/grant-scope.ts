import { argsDigest } from "./args-digest.js";
import { canonicalJson } from "./canonical-json.js";
import { systemClock } from "./clock.js";
import { cloneJson } from "./clone-json.js";
import { PermissionGateError } from "./errors.js";
import type { Grant, GrantScope, GrantVerdict } from "./grant.js";
import { parseGrant } from "./grant-schema.js";
import type { JsonValue } from "./json.js";

/**
 * The id of a rule: 16 hex, the digest of `{"scope":…,"tool":…,"verdict":…}`. Allow and deny of one scope have two ids.
 * Throws code `not_json` where the scope's arguments are no JSON value.
 */
export function grantId(tool: string, verdict: GrantVerdict, scope: GrantScope): string {
  return argsDigest({ scope, tool, verdict });
}

/**
 * Whether the grant speaks of this call: the same tool, exactly, and all its calls or this one by canonical text. The
 * verdict, the pin and the expiry are not looked at. Arguments that are no JSON value have no canonical text: no
 * `this_call` grant covers them, and nothing is thrown.
 */
export function grantCovers(grant: Grant, tool: string, args: JsonValue): boolean {
  if (grant.tool !== tool) return false;
  if (grant.scope === "this_tool") return true;
  const granted = canonicalTextOf(grant.scope.this_call.args);
  return granted !== null && granted === canonicalTextOf(args);
}

export interface CreateGrantOptions {
  note?: string;
  /** 16 hex, as `descriptorDigest` gives it */
  pinnedDescriptor?: string;
  /** as `descriptorFingerprint` gives it */
  pinnedFingerprint?: string;
  /** Unix ms; default: now, by the system's clock */
  createdAtMs?: number;
  /** Unix ms; left out: never */
  expiresAtMs?: number;
  grantedBy?: string;
}

/**
 * Makes a grant with its id. The scope's arguments are copied. Throws code `not_json` for arguments that are no JSON
 * value, `invalid_option` for a time that is not a whole, non-negative number, `bad_record` for any other wrong type.
 */
export function createGrant(
  tool: string,
  verdict: GrantVerdict,
  scope: GrantScope,
  options: CreateGrantOptions = {},
): Grant {
  const { createdAtMs = systemClock.now(), expiresAtMs } = options;
  requireTime("createdAtMs", createdAtMs);
  if (expiresAtMs !== undefined) requireTime("expiresAtMs", expiresAtMs);
  // Copied before it is digested, so that the id is of what is kept.
  const kept: GrantScope =
    typeof scope === "string" ? scope : { this_call: { args: cloneJson(scope.this_call.args) } };
  return parseGrant({
    id: grantId(tool, verdict, kept),
    tool,
    verdict,
    scope: kept,
    pinned_descriptor: options.pinnedDescriptor,
    created_at_ms: createdAtMs,
    note: options.note,
    pinned_fingerprint: options.pinnedFingerprint,
    expires_at_ms: expiresAtMs,
    granted_by: options.grantedBy,
  });
}

function canonicalTextOf(args: JsonValue): string | null {
  try {
    return canonicalJson(args);
  } catch {
    return null;
  }
}

function requireTime(option: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new PermissionGateError(
    "invalid_option",
    `${option} is not a whole number of milliseconds: ${String(value)}`,
  );
}
