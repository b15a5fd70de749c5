import type { Rule, RuleEffect } from "@x/permission-core";

const ALLOWED = ["Read", "ListDir", "Grep", "Glob", "WebFetch", "WebSearch", "Subagent"];
const ASKED = ["Shell", "Edit", "Write", "Copy", "Move", "Remove"];

/** What holds where nobody configured anything: what only looks is allowed, what changes something asks. */
export function builtinRules(): Rule[] {
  return [...ALLOWED.map((tool) => builtin(tool, "allow")), ...ASKED.map((tool) => builtin(tool, "ask"))];
}

/** What holds for a child agent: everything is allowed that no other rule speaks against. */
export function childFloorRules(): Rule[] {
  return [builtin("", "allow")];
}

function builtin(tool: string, effect: RuleEffect): Rule {
  return { scope: "builtin", tool, pattern: "", effect };
}
