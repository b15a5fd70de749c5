import { caseById } from "@x/conformance";
import type { JsonValue, PermissionDecision, PermissionMode, PolicyCall, Rule } from "@x/permission-core";
import {
  definePermissions,
  type EvaluationRequest,
  evaluateRules,
  type PermissionLists,
} from "../../src/index.js";

/** What the cases of the rule policy have for input. */
interface CaseInput {
  rules?: PermissionLists & { mode?: PermissionMode; platform?: string };
  call?: PolicyCall;
  calls?: PolicyCall[];
}

/** The rules and calls of a case; of rules that name no scope, the user's. */
export function caseInput(id: string): { rules: readonly Rule[]; calls: PolicyCall[]; mode: PermissionMode } {
  const { rules = {}, call, calls = call === undefined ? [] : [call] } = caseById(id).input as CaseInput;
  const { allow, ask, deny, mode = "default" } = rules;
  const lists: PermissionLists = {
    ...(allow === undefined ? {} : { allow }),
    ...(ask === undefined ? {} : { ask }),
    ...(deny === undefined ? {} : { deny }),
  };
  return { rules: definePermissions(lists).rules, calls, mode };
}

/** What each call of the case comes to. */
export function decisionsOf(id: string, options: Partial<EvaluationRequest> = {}): PermissionDecision[] {
  const { rules, calls, mode } = caseInput(id);
  return calls.map((call) => evaluateRules({ rules, mode, ...options, call }));
}

export function effectsOf(id: string, options: Partial<EvaluationRequest> = {}): string[] {
  return decisionsOf(id, options).map(({ effect }) => effect);
}

export function bash(command: string): PolicyCall {
  return { tool: "Bash", input: { command } satisfies JsonValue };
}
