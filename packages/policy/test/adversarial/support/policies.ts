import type { Rule, RuleEffect } from "@x/permission-core";
import { evaluateRules } from "../../../src/evaluate/evaluate-rules.js";
import type { EvaluationOptions } from "../../../src/evaluate/evaluation-request.js";
import { isReadOnlyShell } from "../../../src/shell/is-read-only-shell.js";
import { everydayRules } from "../../everyday/everyday-rules.js";

/** The tool that carries the text: `Bash` is read as bash, `Shell` as what every POSIX shell reads alike. */
export type ShellTool = "Bash" | "Shell";

/** A policy on trial. */
export interface TriedPolicy {
  readonly name: string;
  /** `nothing`: what it allows never runs `canary`; `in-reach`: not where the shape is within the documented reach */
  readonly promises: "nothing" | "in-reach";
  effectOf(tool: ShellTool, text: string): RuleEffect;
}

function shellRule(effect: RuleEffect, pattern: string): Rule {
  return { scope: "user", tool: "Shell", pattern, effect };
}

function ruled(
  name: string,
  promises: TriedPolicy["promises"],
  rules: readonly Rule[],
  options: EvaluationOptions = {},
): TriedPolicy {
  return {
    name,
    promises,
    effectOf: (tool, command) =>
      evaluateRules({ ...options, rules, call: { tool, input: { command } } }).effect,
  };
}

const harmless = ["echo:*", "ls:*", "cat:*", "grep:*", "git status:*", "true:*", "printf:*"].map((pattern) =>
  shellRule("allow", pattern),
);

/** A: a few harmless programs. Nothing is denied, so that only what is missing protects. */
export const harmlessOnly: TriedPolicy = ruled("A", "nothing", harmless);

/** B: everything but `canary`. */
export const allButCanary: TriedPolicy = ruled("B", "in-reach", [
  shellRule("deny", "canary *"),
  shellRule("allow", "*"),
]);

export const triedPolicies: readonly TriedPolicy[] = [
  harmlessOnly,
  ruled("A, substitutions evaluated", "nothing", harmless, {
    substitution: "evaluate",
    benignAssignments: ["A", "x"],
  }),
  allButCanary,
  ruled("C", "nothing", everydayRules),
  ruled("C, substitutions evaluated", "nothing", everydayRules, { substitution: "evaluate" }),
  {
    name: "read-only",
    promises: "nothing",
    effectOf: (tool, text) =>
      isReadOnlyShell(text, { dialect: tool === "Bash" ? "bash" : "posix" }) ? "allow" : "ask",
  },
];
