import { displaySafe, type Grant } from "@x/permission-core";

/** A remembered decision in words. */
export function grantLine({ id, tool, verdict, scope, granted_by }: Grant): string {
  const whatever = scope === "this_tool" ? "every call of" : "exactly";
  const args = scope === "this_tool" ? "" : ` ${JSON.stringify(scope.this_call.args)}`;
  const by = granted_by === undefined ? "" : `, by ${granted_by}`;
  const words = `${verdict === "Allow" ? "allow" : "deny"} ${whatever} ${tool}${args}${by}`;
  return `grant ${displaySafe(id, { maxLength: 40 }).text}  ${displaySafe(words, { maxLength: 160 }).text}`;
}
