// Calls: what they are about
export type { CallOptions, CallTarget, TargetSort, ToolKind } from "./calls/call-target.js";
export { matchTargets } from "./calls/match-targets.js";
// Deciding from rules
export { evaluateRules } from "./evaluate/evaluate-rules.js";
export type { EvaluationOptions, EvaluationRequest } from "./evaluate/evaluation-request.js";
export {
  type ExplainedPart,
  explainRules,
  type MatchedRule,
  type RuleExplanation,
} from "./evaluate/explain-rules.js";
// Learning
export { type LearningOptions, learnRule } from "./learning/learn-rule.js";
export { MemoryPermissionStore } from "./learning/memory-permission-store.js";
export { type SuggestOptions, suggestRules } from "./learning/suggest-rules.js";
// Patterns
export { patternMatches } from "./patterns/pattern-matches.js";
// Policies
export { autoApproveInIsolation, type IsolationOptions } from "./policy/auto-approve-in-isolation.js";
export { builtinRules, childFloorRules } from "./policy/builtin-rules.js";
export { type ChildPolicyOptions, createChildPolicy } from "./policy/child-policy.js";
export {
  definePermissions,
  type PermissionEntry,
  type PermissionLists,
  type Permissions,
} from "./policy/define-permissions.js";
export { parseRuleSpec, type RuleSpec } from "./policy/parse-rule-spec.js";
export { RulePolicy, type RulePolicyOptions } from "./policy/rule-policy.js";
export { ruleProblems } from "./policy/rule-problems.js";
export type { RuleSource } from "./policy/rule-source.js";
// Shells
export { analyzeShell } from "./shell/analyze-shell.js";
export { cleanShellEnvironment } from "./shell/clean-shell-environment.js";
export { isReadOnlyShell } from "./shell/is-read-only-shell.js";
export type {
  ShellAnalysis,
  ShellAssignment,
  ShellDialect,
  ShellPart,
  ShellTarget,
  ShellWord,
  WordExpansion,
} from "./shell/shell-analysis.js";
