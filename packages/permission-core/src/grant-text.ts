import { canonicalJson } from "./canonical-json.js";
import type { Grant } from "./grant.js";

/**
 * A grant as ledgers hold it: compact, fields in wire order, absent options as `null`, optional fields left out where
 * unset. Arguments stand in canonical form. Throws code `not_json` for a lone surrogate or what else JSON cannot hold.
 */
export function grantText(grant: Grant): string {
  const scope =
    grant.scope === "this_tool"
      ? '"this_tool"'
      : `{"this_call":{"args":${canonicalJson(grant.scope.this_call.args)}}}`;
  const fields = [
    `"id":${canonicalJson(grant.id)}`,
    `"tool":${canonicalJson(grant.tool)}`,
    `"verdict":${canonicalJson(grant.verdict)}`,
    `"scope":${scope}`,
    `"pinned_descriptor":${canonicalJson(grant.pinned_descriptor)}`,
    `"created_at_ms":${canonicalJson(grant.created_at_ms)}`,
    `"note":${canonicalJson(grant.note)}`,
  ];
  for (const name of ["pinned_fingerprint", "expires_at_ms", "granted_by"] as const) {
    if (grant[name] !== undefined) fields.push(`"${name}":${canonicalJson(grant[name])}`);
  }
  return `{${fields.join(",")}}`;
}
