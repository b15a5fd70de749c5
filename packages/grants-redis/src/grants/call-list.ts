import { argsDigest, fnv1a64, type GrantEntry, type GrantQuery } from "@x/permission-core";

/** The field of the list of entries that cover no call. */
export const INEXACT_LIST = "x";

/** The field of the list that names what covers every call of the tool; with a digest, calls with such arguments. */
export function callList(tool: string, digest: string | null): string {
  return `c${fnv1a64(tool)}:${digest ?? "every"}`;
}

/** The field of the list that an entry stands in. */
export function listOf({ grant, exact }: GrantEntry): string {
  if (!exact) return INEXACT_LIST;
  const { tool, scope } = grant;
  return callList(tool, scope === "this_tool" ? null : argsDigest(scope.this_call.args));
}

/** The fields of the two lists that name whatever may cover a call. Digests lead there, and do not decide. */
export function listsFor({ tool, argsDigest }: Pick<GrantQuery, "tool" | "argsDigest">): [string, string] {
  return [callList(tool, null), callList(tool, argsDigest)];
}
