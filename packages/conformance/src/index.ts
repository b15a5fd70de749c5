// Known answers

// Users' situations
export { type Case, caseById } from "./cases.js";
export { type DeliberateDifference, deliberateDifferences } from "./deliberate-differences.js";
export { type DefineTest, type DescribeVectorsOptions, describeVectors } from "./describe-vectors.js";
export type { ApproverChannelAnswer, ApproverChannelVector, ParkOutcome } from "./groups/approver-channel.js";
export type {
  DescriptorDigestVector,
  DigestRelationVector,
  DigestVector,
  FnvVector,
} from "./groups/digests.js";
export type {
  AskEndingVector,
  EngineRunVector,
  HookVector,
  ParkThenPipelineVector,
} from "./groups/dispatches.js";
export type {
  AskOutcome,
  CheckLayer,
  ClaimLayer,
  EvaluateVector,
  GateVector,
  LatticePairVector,
  LatticeVector,
} from "./groups/gates.js";
export type {
  CoversVector,
  GrantIdVector,
  GrantLedgerAnswer,
  GrantLedgerFacts,
  GrantLedgerVector,
  ProjectIdentityVector,
} from "./groups/grants.js";
export type {
  FlooredAllowSafeVector,
  LearnVector,
  MatchVector,
  ParseSpecVector,
  ReadOnlyShellVector,
  RuleDecisionVector,
  RuleStoreStep,
  RuleStoreVector,
  SubstitutionReadOnlyVector,
  ToolPatternVector,
} from "./groups/rules.js";
export type { SerializedVector } from "./groups/wire-forms.js";
// Suites
export { type AskChannelSuiteOptions, askChannelSuite } from "./suites/ask-channel/ask-channel-suite.js";
export type { AskChannel } from "./suites/ask-channel/channel-bench.js";
export { type ClaimStoreSuiteOptions, claimStoreSuite } from "./suites/claim-store/claim-store-suite.js";
export { type GrantStoreSuiteOptions, grantStoreSuite } from "./suites/grant-store/grant-store-suite.js";
export {
  type PermissionStoreSuiteOptions,
  permissionStoreSuite,
} from "./suites/permission-store/permission-store-suite.js";
export type { Vector } from "./vector.js";
export { type VectorGroupName, type VectorTypes, vectorGroup, vectorGroups } from "./vector-group.js";
