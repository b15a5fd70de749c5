import type { Audience, JsonValue, PermissionMode, Rule, RuleEffect } from "@x/permission-core";
import evaluations from "../../vectors/mecatl/evaluate.json" with { type: "json" };
import flooredAllows from "../../vectors/mecatl/floored-allow-safe.json" with { type: "json" };
import lessons from "../../vectors/mecatl/learn.json" with { type: "json" };
import matches from "../../vectors/mecatl/match.json" with { type: "json" };
import specs from "../../vectors/mecatl/parse-spec.json" with { type: "json" };
import readOnlyCommands from "../../vectors/mecatl/readonly-shell.json" with { type: "json" };
import stores from "../../vectors/mecatl/store.json" with { type: "json" };
import substitutions from "../../vectors/mecatl/substitution-readonly.json" with { type: "json" };
import targets from "../../vectors/mecatl/tool-pattern.json" with { type: "json" };
import { answerMutants, mutant } from "../mutate/answer-mutants.js";
import { changedLeaf } from "../mutate/changed-leaf.js";
import type { Group, Vector } from "../vector.js";

/** What rules decide of one call, without a workspace. */
export interface RuleDecisionVector extends Vector {
  mode: PermissionMode;
  audience: Audience;
  rules: readonly Rule[];
  learned: readonly Rule[];
  call: { tool: string; input: JsonValue };
  expect: { effect: RuleEffect; configuredAsk: boolean; flooredConfiguredAllow: boolean };
}

export const ruleDecisions: Group<RuleDecisionVector> = {
  vectors: evaluations as readonly RuleDecisionVector[],
  mutants: answerMutants("expect"),
};

/** What "allow always" comes to. */
export interface LearnVector extends Vector {
  call: { tool: string; input: JsonValue };
  /** null: nothing */
  expectRule: Rule | null;
}

export const learn: Group<LearnVector> = {
  vectors: lessons as readonly LearnVector[],
  mutants: answerMutants("expectRule"),
};

/** Whether a command changes nothing. */
export interface ReadOnlyShellVector extends Vector {
  command: string;
  readOnly: boolean;
}

export const readOnlyShell: Group<ReadOnlyShellVector> = {
  vectors: readOnlyCommands,
  mutants: answerMutants("readOnly"),
};

/** Whether a pattern matches a text. */
export interface MatchVector extends Vector {
  pattern: string;
  text: string;
  exact: boolean;
  matches: boolean;
}

export const match: Group<MatchVector> = { vectors: matches, mutants: answerMutants("matches") };

/** Whether a command with a substitution or group only reads, all that it hides included. */
export interface SubstitutionReadOnlyVector extends Vector {
  segment: string;
  readOnly: boolean;
}

export const substitutionReadOnly: Group<SubstitutionReadOnlyVector> = {
  vectors: substitutions,
  mutants: answerMutants("readOnly"),
};

/** Whether a configured allow would answer the ask that a substitution or group of this command raises. */
export interface FlooredAllowSafeVector extends Vector {
  segment: string;
  safe: boolean;
}

export const flooredAllowSafe: Group<FlooredAllowSafeVector> = {
  vectors: flooredAllows,
  mutants: answerMutants("safe"),
};

/** The texts that rules are compared with. */
export interface ToolPatternVector extends Vector {
  /** `inputRaw`: the input as JSON text */
  call: { tool: string; input?: JsonValue; inputRaw?: string };
  patterns: readonly string[];
}

export const toolPattern: Group<ToolPatternVector> = {
  vectors: targets as readonly ToolPatternVector[],
  mutants: answerMutants("patterns"),
};

/** What `Tool(pattern)` names. */
export interface ParseSpecVector extends Vector {
  spec: string;
  /** null: it is no rule */
  expect: { tool: string; pattern: string } | null;
}

export const parseSpec: Group<ParseSpecVector> = { vectors: specs, mutants: answerMutants("expect") };

export type RuleStoreStep =
  | { op: "record"; session: string; rule: Rule }
  /** exact user allows of `tool` with `patternPrefix` and each number from `from` to `to` */
  | { op: "recordMany"; session: string; tool: string; patternPrefix: string; from: number; to: number }
  | { op: "count"; session: string; expect: number }
  | { op: "hasPattern"; session: string; pattern: string; expect: boolean };

/** What a store of learned rules keeps: the answers stand in the steps. */
export interface RuleStoreVector extends Vector {
  steps: readonly RuleStoreStep[];
}

export const ruleStore: Group<RuleStoreVector> = {
  vectors: stores as readonly RuleStoreVector[],
  mutants: (vector) =>
    vector.steps.flatMap((step, index) => {
      if (!("expect" in step)) return [];
      const changed = { ...step, expect: changedLeaf(step.expect) } as RuleStoreStep;
      return mutant(vector, `steps[${index}].expect`, { steps: vector.steps.with(index, changed) });
    }),
};
