import { argsDigest, createGrant, type Grant, type GrantQuery, type JsonValue } from "@x/permission-core";

export const wide: Grant = createGrant("read", "Allow", "this_tool", { createdAtMs: 1 });
export const narrow: Grant = createGrant(
  "read",
  "Deny",
  { this_call: { args: { path: "/etc" } } },
  { createdAtMs: 2 },
);
export const other: Grant = createGrant("write", "Allow", "this_tool", { createdAtMs: 3 });

export function query(tool: string, args: JsonValue = {}, nowMs = 10): GrantQuery {
  return { tool, args, argsDigest: argsDigest(args), nowMs };
}
