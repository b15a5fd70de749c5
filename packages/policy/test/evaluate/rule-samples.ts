import type { PermissionDecision, Rule, RuleEffect, RuleScope } from "@x/permission-core";
import { type EvaluationRequest, evaluateRules, parseRuleSpec } from "../../src/index.js";

export const SCOPES: readonly RuleScope[] = [
  "managed",
  "cli",
  "local-project",
  "shared-project",
  "user",
  "builtin",
];

/** `rule("deny", "Bash(rm *)")`, of scope `user` unless said otherwise. */
function rule(effect: RuleEffect, spec: string, fields: Partial<Rule> = {}): Rule {
  const parsed = spec === "" ? { tool: "", pattern: "" } : parseRuleSpec(spec);
  if (parsed === null) throw new Error(`no rule: ${spec}`);
  return { scope: "user", effect, ...parsed, ...fields };
}

export const allow = (spec: string, fields?: Partial<Rule>): Rule => rule("allow", spec, fields);
export const ask = (spec: string, fields?: Partial<Rule>): Rule => rule("ask", spec, fields);
export const deny = (spec: string, fields?: Partial<Rule>): Rule => rule("deny", spec, fields);

export type RequestOptions = Partial<Omit<EvaluationRequest, "rules" | "call">>;

/** What the rules decide of a bash command. */
export function decideBash(
  rules: readonly Rule[],
  command: string,
  options: RequestOptions = {},
): PermissionDecision {
  return evaluateRules({ ...options, rules, call: { tool: "Bash", input: { command } } });
}

export function bashEffect(
  rules: readonly Rule[],
  command: string,
  options: RequestOptions = {},
): RuleEffect {
  return decideBash(rules, command, options).effect;
}

/** What the rules decide of a call whose one target is a path. */
export function pathEffect(
  rules: readonly Rule[],
  tool: string,
  path: string,
  options: RequestOptions = {},
): RuleEffect {
  return evaluateRules({ ...options, rules, call: { tool, input: { path } } }).effect;
}
