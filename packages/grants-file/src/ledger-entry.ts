import { type Grant, PermissionGateError, parseGrant } from "@x/permission-core";
import { memberExtents } from "./json-scan.js";
import { keepsSpelling } from "./keeps-spelling.js";

export interface LedgerEntry {
  /** the bytes between the entry before and this one: a comma, perhaps blanks */
  readonly before: string;
  /** the entry's own text, written back as it stands */
  readonly raw: string;
  /** the length of `raw` in UTF-8 */
  readonly rawBytes: number;
  readonly grant: Grant;
  /** false: its arguments hold numbers that JavaScript spells differently, so it covers no call */
  readonly exact: boolean;
}

const FIELDS = new Set(
  "id tool verdict scope pinned_descriptor created_at_ms note pinned_fingerprint expires_at_ms granted_by".split(
    " ",
  ),
);

/**
 * Reads one entry of a ledger. `raw` must be JSON. Throws code `bad_record` or `not_json` where it is no grant, a
 * repeated field included: hosts differ in which of the two they would believe.
 */
export function parseEntry(raw: string, before: string): LedgerEntry {
  const grant = parseGrant(JSON.parse(raw));
  const scope = onlyMember(raw, "scope", FIELDS);
  const exact = grant.scope === "this_tool" || keepsArguments(scope, grant.scope);
  return { before, raw, rawBytes: Buffer.byteLength(raw), grant, exact };
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
