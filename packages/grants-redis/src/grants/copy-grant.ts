import { cloneJson, type Grant } from "@x/permission-core";

/** A copy that shares nothing with `grant`, which was read before. */
export function copyGrant(grant: Grant): Grant {
  if (grant.scope === "this_tool") return { ...grant };
  return { ...grant, scope: { this_call: { args: cloneJson(grant.scope.this_call.args) } } };
}
