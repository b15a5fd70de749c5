import type { PermissionGateErrorCode } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { entriesOf } from "./support/packed.js";
import { PUBLISHED } from "./support/workspace.js";

/** What each entry exports at run time. Adding is a minor release, taking away a major one. */
const SURFACE: Record<string, string> = {
  "@x/permission-core":
    "CHECK_STRICTNESS GrantIndex MemoryClaimStore MemoryGrantStore NIL_UUID PermissionCheck PermissionGateError argsDigest argsDigestFromText askAnswerSchema canonicalJson canonicalJsonFromText cloneJson copyGrants createGrant decisiveRecord descriptorDigest descriptorFingerprint displaySafe fnv1a64 gateDecisionSchema gateEventSchema grantCovers grantId grantSchema isPermissionCheck isPermissionGateError isolatedReport namedOptions notJsonPath onAbort parseAskAnswer parseGateDecision parseGateEvent parseGrant parsePendingAsk parsePermissionDecision parseRule pendingAskSchema permissionDecisionSchema precedenceTier projectIdentityFrom randomIds reportToConsole ruleSchema systemClock",
  "@x/permission-core/stores":
    "JsonSyntaxError checkJson elementExtents grantText keepsTexts parseGrantEntry requireClaim",
  "@x/permission-core/testing": "ManualClock memoryWorkspace scriptedResolver sequentialIds",
  "@x/middleware":
    "HookAction HookExecutor MemoizeMiddleware PermissionMiddleware RunCancelledError RunStoppedError TimeoutMiddleware ToolEngine ToolPermissionError ToolPipeline ToolRegistry allowReadOnlyAskRest circuitBreaker confirmTools createGate defineTool repeatGuard toolAllowlist toolBlocklist",
  "@x/middleware/json-schema": "jsonSchemaTool",
  "@x/middleware/ledger":
    "JsonlLedger LEDGER_VERSION joinLedger ledgerFiles parseLedgerLine readLedger verifyLedger",
  "@x/middleware/otel": "otelObserver",
  "@x/middleware/testing": "ManualClock recordingObserver scriptedResolver sequentialIds",
  "@x/policy":
    "MemoryPermissionStore RulePolicy analyzeShell autoApproveInIsolation builtinRules childFloorRules cleanShellEnvironment createChildPolicy definePermissions evaluateRules explainRules isReadOnlyShell learnRule matchTargets parseRuleSpec patternMatches ruleProblems suggestRules",
  "@x/policy/config": "ProjectRuleResolver loadPermissionFiles nodeWorkspace policyCheck",
  "@x/grants-file": "FileClaimStore FileGrantStore",
  "@x/grants-redis": "RedisClaimStore RedisGrantStore RedisPermissionStore",
  "@x/ask-channel": "ApprovalChannel SyncAskResolver escalate fallback firstAnswer quorum route withDeadline",
  "@x/ask-channel/redis": "RedisApprover RedisAskResolver RedisCallbackStore",
  "@x/ask-channel/terminal": "terminalAskResolver",
  "@x/ask-channel/webhook":
    "MemoryCallbackStore WebhookAskResolver createCallbackHandler createWebhookApprovals nodeListener",
  "@x/conformance":
    "askChannelSuite caseById claimStoreSuite deliberateDifferences describeVectors grantStoreSuite permissionStoreSuite vectorGroup vectorGroups",
};

/** The compiler checks that this names every code and no other. */
const CODES: Record<PermissionGateErrorCode, true> = {
  not_json: true,
  bad_json: true,
  bad_record: true,
  invalid_option: true,
  frozen: true,
  no_core: true,
  no_gate: true,
  duplicate_tool: true,
  closed: true,
  ask_unavailable: true,
  already_waiting: true,
  ask_cancelled: true,
  ask_expired: true,
  ask_answered: true,
  run_cancelled: true,
  run_stopped: true,
  tool_permission: true,
  ledger_damaged: true,
  ledger_busy: true,
  storage: true,
};

describe("the public surface", () => {
  it("has these entries", () => {
    const entries = PUBLISHED.flatMap(({ manifest }) => entriesOf(manifest));
    expect(entries.sort()).toEqual(Object.keys(SURFACE).sort());
  });

  it.each(Object.entries(SURFACE))("of %s is as it was", async (entry, names) => {
    const loaded = (await import(entry)) as Record<string, unknown>;
    expect(Object.keys(loaded).sort().join(" ")).toBe(names);
  });

  it("has error codes of one spelling", () => {
    expect(Object.keys(CODES).filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  });
});
