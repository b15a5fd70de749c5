// JSON, canonical text and digests

export { argsDigest, argsDigestFromText } from "./args-digest.js";
// Asks
export type {
  AnswerStatus,
  Approver,
  AskAnswer,
  AskFunction,
  AskResolution,
  AskResolver,
  PendingAsk,
  Remember,
} from "./ask.js";
export { askAnswerSchema, parseAskAnswer, parsePendingAsk, pendingAskSchema } from "./ask-schema.js";
export { canonicalJson } from "./canonical-json.js";
export { canonicalJsonFromText } from "./canonical-json-text.js";
export { type Clock, systemClock } from "./clock.js";
export { cloneJson } from "./clone-json.js";
export {
  type CopyGrantsOptions,
  copyGrants,
  type GrantLoss,
  type GrantsCopied,
} from "./copy-grants.js";
export type { ToolDescriptor } from "./descriptor.js";
export { descriptorDigest, descriptorFingerprint } from "./descriptor-digest.js";
// Showing untrusted text to people
export { displaySafe } from "./display-safe.js";
// Errors, reports, and the seams of time, identity and cancel
export { isPermissionGateError, PermissionGateError, type PermissionGateErrorCode } from "./errors.js";
export { fnv1a64 } from "./fnv1a64.js";
export type {
  DispatchOutcome,
  GateDecision,
  GateEvent,
  GateRuleSource,
  GateVerdict,
} from "./gate-decision.js";
export {
  gateDecisionSchema,
  gateEventSchema,
  parseGateDecision,
  parseGateEvent,
} from "./gate-decision-schema.js";
// Grants
export type { ClaimStore, Grant, GrantQuery, GrantScope, GrantStore, GrantVerdict } from "./grant.js";
export { GrantIndex } from "./grant-index.js";
export { grantSchema, parseGrant } from "./grant-schema.js";
export { createGrant, grantCovers, grantId } from "./grant-scope.js";
export { type IdSource, NIL_UUID, randomIds } from "./ids.js";
export type { Awaitable, JsonValue } from "./json.js";
export { MemoryClaimStore } from "./memory-claim-store.js";
export { MemoryGrantStore } from "./memory-grant-store.js";
export { namedOptions } from "./named-options.js";
export { notJsonPath } from "./not-json.js";
export { onAbort } from "./on-abort.js";
// Decisions and records
export { CHECK_STRICTNESS, isPermissionCheck, PermissionCheck } from "./permission-check.js";
// Rules and policies
export type {
  Audience,
  PartDecision,
  PermissionDecision,
  PermissionMode,
  PermissionPolicy,
  PermissionStore,
  PolicyCall,
  PolicyRequest,
  Rule,
  RuleEffect,
  RuleProblem,
  RuleResolver,
  RuleScope,
  RuleSet,
  WorkspaceReader,
} from "./policy.js";
export { parsePermissionDecision, parseRule, permissionDecisionSchema, ruleSchema } from "./policy-schema.js";
export { decisiveRecord, precedenceTier } from "./precedence.js";
export { projectIdentityFrom } from "./project-identity.js";
export { isolatedReport, type OnReport, type ReportEvent, reportToConsole } from "./report.js";
