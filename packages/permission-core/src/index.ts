// JSON, canonical text and digests
export type { Awaitable, JsonValue } from "./json.js";
export { canonicalJson } from "./canonical-json.js";
export { canonicalJsonFromText } from "./canonical-json-text.js";
export { notJsonPath } from "./not-json.js";
export { cloneJson } from "./clone-json.js";
export { argsDigest, argsDigestFromText } from "./args-digest.js";
export { fnv1a64 } from "./fnv1a64.js";
export { descriptorDigest, descriptorFingerprint } from "./descriptor-digest.js";
export type { ToolDescriptor } from "./descriptor.js";

// Decisions and records
export { CHECK_STRICTNESS, isPermissionCheck, PermissionCheck } from "./permission-check.js";
export type { DispatchOutcome, GateDecision, GateEvent, GateRuleSource, GateVerdict } from "./gate-decision.js";
export { gateDecisionSchema, gateEventSchema, parseGateDecision, parseGateEvent } from "./gate-decision-schema.js";
export { decisiveRecord, precedenceTier } from "./precedence.js";

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

// Grants
export type { ClaimStore, Grant, GrantQuery, GrantScope, GrantStore, GrantVerdict } from "./grant.js";
export { grantSchema, parseGrant } from "./grant-schema.js";
export { createGrant, grantCovers, grantId } from "./grant-scope.js";
export { GrantIndex } from "./grant-index.js";
export { MemoryGrantStore } from "./memory-grant-store.js";
export { projectIdentityFrom } from "./project-identity.js";

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

// Showing untrusted text to people
export { displaySafe } from "./display-safe.js";

// Errors, reports, and the seams of time, identity and cancel
export { isPermissionGateError, PermissionGateError, type PermissionGateErrorCode } from "./errors.js";
export { type OnReport, type ReportEvent, reportToConsole } from "./report.js";
export { type Clock, systemClock } from "./clock.js";
export { type IdSource, NIL_UUID, randomIds } from "./ids.js";
export { onAbort } from "./on-abort.js";
