import {
  type Audience,
  PermissionGateError,
  type Rule,
  type RuleEffect,
  type RuleScope,
  type RuleSet,
} from "@x/permission-core";
import { LONGEST_PATTERN } from "../patterns/longest-pattern.js";
import { parseRuleSpec } from "./parse-rule-spec.js";

/** `Tool` or `Tool(pattern)`, alone or with what is shown of it. */
export type PermissionEntry =
  | string
  | { readonly rule: string; readonly reason?: string; readonly id?: string };

/** Rules by what they do. Each list is empty where it is left out. */
export interface PermissionLists {
  readonly allow?: readonly PermissionEntry[];
  readonly ask?: readonly PermissionEntry[];
  readonly deny?: readonly PermissionEntry[];
}

/** As in a configuration file: `deny` binds everybody, `allow` and `ask` the main agent, `subagent` its children. */
export interface Permissions extends PermissionLists {
  readonly subagent?: PermissionLists;
}

const EFFECTS: readonly RuleEffect[] = ["deny", "ask", "allow"];

/**
 * Rules written in code, of scope `user` unless said otherwise; within a list in their order. Throws code `invalid_option`
 * with the text of an entry that is no rule, or whose pattern is empty or longer than 4,096 characters.
 */
export function definePermissions(permissions: Permissions, options: { scope?: RuleScope } = {}): RuleSet {
  const scope = options.scope ?? "user";
  const { subagent = {} } = permissions;
  const rules = [
    ...EFFECTS.flatMap((effect) =>
      (permissions[effect] ?? []).map((entry) =>
        toRule(entry, { scope, effect, audience: effect === "deny" ? "all" : "main" }),
      ),
    ),
    ...EFFECTS.flatMap((effect) =>
      (subagent[effect] ?? []).map((entry) => toRule(entry, { scope, effect, audience: "subagent" })),
    ),
  ];
  return { rules: Object.freeze(rules), problems: [], failClosed: null };
}

function toRule(
  entry: PermissionEntry,
  shared: { scope: RuleScope; effect: RuleEffect; audience: Audience },
): Rule {
  const { rule: text, ...shown } = typeof entry === "string" ? { rule: entry } : entry;
  const spec = parseRuleSpec(text);
  if (spec === null)
    throw new PermissionGateError(
      "invalid_option",
      `not a rule: ${JSON.stringify(text)}; write Tool or Tool(pattern)`,
    );
  if (spec.pattern.trim() === "" && text.includes("("))
    throw new PermissionGateError(
      "invalid_option",
      `an empty pattern: ${JSON.stringify(text)}; write the tool alone to mean every call`,
    );
  if (spec.pattern.length > LONGEST_PATTERN)
    throw new PermissionGateError(
      "invalid_option",
      `a pattern of more than ${LONGEST_PATTERN} characters: ${JSON.stringify(text.slice(0, 40))}…; shorten it`,
    );
  return { ...spec, ...shared, ...shown };
}
