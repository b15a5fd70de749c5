import { argsDigest, fnv1a64, type GrantQuery } from "@x/permission-core";
import type { GrantEntry } from "@x/permission-core/stores";

/** The field of the list of entries that cover no call. */
export const INEXACT_LIST = "x";

/** The field of the list that an entry stands in. */
export function listOf({ grant, exact }: GrantEntry): string {
  if (!exact) return INEXACT_LIST;
  const { tool, scope } = grant;
  const ofTool = listsOf(tool);
  return scope === "this_tool" ? everyCall(ofTool) : callsLike(ofTool, argsDigest(scope.this_call.args));
}

/** The fields of the two lists that name whatever may cover a call. Digests lead there, and do not decide. */
export function listsFor({ tool, argsDigest }: Pick<GrantQuery, "tool" | "argsDigest">): [string, string] {
  const ofTool = listsOf(tool);
  return [everyCall(ofTool), callsLike(ofTool, argsDigest)];
}

/** Tools whose lists are kept in mind at once. */
const MOST_TOOLS = 256;
const known = new Map<string, string>();

function listsOf(tool: string): string {
  let lists = known.get(tool);
  if (lists === undefined) {
    lists = `c${fnv1a64(tool)}`;
    if (known.size >= MOST_TOOLS) known.clear();
    known.set(tool, lists);
  }
  return lists;
}

function everyCall(ofTool: string): string {
  return `${ofTool}:every`;
}

function callsLike(ofTool: string, argsDigest: string): string {
  return `${ofTool}:${argsDigest}`;
}
