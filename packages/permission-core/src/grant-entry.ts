import { PermissionGateError } from "./errors.js";
import type { Grant } from "./grant.js";
import { parseGrant } from "./grant-schema.js";
import { memberExtents } from "./json-scan.js";
import { keepsSpelling } from "./keeps-spelling.js";

/** One entry of a ledger, as its text and as what the text says. */
export interface GrantEntry {
  /** the entry's own text, which stores that keep texts write back as it stands */
  readonly raw: string;
  readonly grant: Grant;
  /** false: its arguments hold numbers that JavaScript spells differently, so it covers no call */
  readonly exact: boolean;
}

/** The fields of a grant that are known here. Others are kept where texts are, and mean nothing. */
export const GRANT_FIELDS: ReadonlySet<string> = new Set(
  "id tool verdict scope pinned_descriptor created_at_ms note pinned_fingerprint expires_at_ms granted_by".split(
    " ",
  ),
);

/**
 * Reads one entry of a ledger. Throws code `bad_json` where the text is no JSON, `bad_record` or `not_json` where it is no
 * grant, a repeated field included: hosts differ in which of the two they would believe.
 */
export function parseGrantEntry(raw: string): GrantEntry {
  const grant = parseGrant(parsed(raw));
  const scope = onlyMember(raw, "scope", GRANT_FIELDS);
  return { raw, grant, exact: grant.scope === "this_tool" || keepsArguments(scope, grant.scope) };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // What the engine says may quote the text.
    throw new PermissionGateError("bad_json", "the entry is not JSON");
  }
}

function keepsArguments(scope: string, parsed: Exclude<Grant["scope"], "this_tool">): boolean {
  const call = onlyMember(scope, "this_call", new Set(["this_call"]));
  return keepsSpelling(onlyMember(call, "args", new Set(["args"])), parsed.this_call.args);
}

/** The text of the member `name` of an object's text. */
function onlyMember(object: string, name: string, known: ReadonlySet<string>): string {
  const seen = new Set<string>();
  let found = "";
  for (const { key, value } of memberExtents(object)) {
    if (!known.has(key)) continue;
    if (seen.has(key)) throw new PermissionGateError("bad_record", `${key}: stands there twice`);
    seen.add(key);
    if (key === name) found = object.slice(value.start, value.end);
  }
  return found;
}
