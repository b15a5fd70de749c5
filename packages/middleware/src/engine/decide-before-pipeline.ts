import {
  type Awaitable,
  type GateDecision,
  type GrantStore,
  type JsonValue,
  precedenceTier,
} from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import { decisionOf, reportedRecord } from "../gate/decision.js";
import { unreadable } from "../gate/dry-run.js";
import { type Question, raiseAsk } from "../gate/raise-ask.js";
import { recall } from "../gate/recall.js";
import {
  CANCELLED_ASKING,
  CANCELLED_DECIDING,
  DENIED_BY_GRANT,
  refusal,
  refusalText,
} from "../gate/texts.js";
import type { HookVerdict } from "../hooks/hook-executor.js";
import { isPromiseLike } from "../is-promise.js";
import type { ToolPipeline } from "../pipeline/tool-pipeline.js";

/** The `rule_id` of a question that is only asked because remembered decisions cannot be read. */
export const STORE_RULE = "grants";

/**
 * What decides a call before its pipeline does: remembered denials, the session-wide hooks, and the answer to a question of
 * theirs. Gives the refusal, or null where the call may go on. An approval's record is held until the dispatch ends.
 * Synchronous where nothing is remembered and hooks are; else the input is copied first.
 */
export function decideBeforePipeline(
  context: DispatchContext,
  pipeline: ToolPipeline,
): Awaitable<ToolDispatchResult | null> {
  const { grants: store } = context.facts.environment;
  return store === undefined ? consultHooks(context, pipeline) : decideRemembered(context, pipeline, store);
}

async function decideRemembered(
  context: DispatchContext,
  pipeline: ToolPipeline,
  store: GrantStore,
): Promise<ToolDispatchResult | null> {
  const denied = await deniedByGrant(context, store);
  if (denied !== null) return denied;
  context.facts.state.recalled = store;
  return consultHooks(context, pipeline);
}

function consultHooks(
  context: DispatchContext,
  pipeline: ToolPipeline,
): Awaitable<ToolDispatchResult | null> {
  const said = context.facts.environment.hooks?.preToolUse(context) ?? { kind: "allow" as const };
  if (!isPromiseLike(said)) return applyHooks(context, pipeline, said);
  // A denial may be remembered while a hook is deciding.
  context.facts.state.recalled = null;
  return said.then((hook) => applyHooks(context, pipeline, hook));
}

function applyHooks(
  context: DispatchContext,
  pipeline: ToolPipeline,
  hook: HookVerdict,
): Awaitable<ToolDispatchResult | null> {
  switch (hook.kind) {
    case "cancelled":
      return refuse(context, decisionOf(context, "cancelled", hook.name, "engine", CANCELLED_DECIDING));
    case "block":
      return blockedBy(context, hook);
    case "ask":
      return settleQuestion(context, pipeline, hook);
    case "allow":
      return mustAskForStore(context) ? askForStore(context, pipeline) : null;
  }
}

/** Whether the engine's store failed in this dispatch, and nobody has consented yet to go on without it. */
function mustAskForStore(context: DispatchContext): boolean {
  const { environment, recorder } = context.facts;
  return environment.grants !== undefined && recorder.failedStores.get(environment.grants) === false;
}

/** Where a gate of the pipeline will ask anyway, its question, which says more of the call, covers the failed store too. */
async function askForStore(
  context: DispatchContext,
  pipeline: ToolPipeline,
): Promise<ToolDispatchResult | null> {
  const foreseen = await foresee(context, pipeline);
  if (foreseen?.verdict === "ask") return null;
  return putQuestion(context, { name: STORE_RULE, prompt: unreadable(context.toolName) }, foreseen);
}

interface EngineQuestion {
  name: string;
  prompt: string;
  details?: string;
}

/** Refuses at once what the pipeline would refuse anyway, so that nobody is asked in vain; then a grant or somebody answers. */
async function settleQuestion(
  context: DispatchContext,
  pipeline: ToolPipeline,
  asked: EngineQuestion,
): Promise<ToolDispatchResult | null> {
  return putQuestion(context, asked, await foresee(context, pipeline));
}

/** What the pipeline would decide as things stand. */
function foresee(context: DispatchContext, pipeline: ToolPipeline): Promise<GateDecision | null> {
  return pipeline.dryRun(context.derive(context.signal));
}

async function putQuestion(
  context: DispatchContext,
  asked: EngineQuestion,
  foreseen: GateDecision | null,
): Promise<ToolDispatchResult | null> {
  const { recorder, environment } = context.facts;
  if (foreseen !== null && precedenceTier(foreseen.verdict) === 2) return refuse(context, foreseen);
  const store = environment.grants;
  let descriptorChanged = false;
  if (store !== undefined && !recorder.failedStores.has(store)) {
    const remembered = await recall(store, context);
    if (remembered.kind === "cancelled") {
      return refuse(context, decisionOf(context, "cancelled", asked.name, "engine", CANCELLED_ASKING));
    }
    if (remembered.kind === "recollection") {
      const { deny, allow } = remembered;
      if (deny !== null)
        return refuse(context, decisionOf(context, "deny", deny.id, "grant", DENIED_BY_GRANT));
      if (allow !== null) {
        recorder.record(decisionOf(context, "allow", allow.id, "grant"));
        return null;
      }
      descriptorChanged = remembered.descriptorChanged;
    }
  }
  const answered = await raiseAsk(questionOf(context, asked, descriptorChanged), context);
  if (answered.kind === "refused") return reported(context, answered.result);
  if (store !== undefined && recorder.failedStores.has(store)) recorder.failedStores.set(store, true);
  return answered.rewrite === null ? null : judgeAgain(context, answered.rewrite.input);
}

function questionOf(context: DispatchContext, asked: EngineQuestion, descriptorChanged: boolean): Question {
  const { grants, rememberTools, askResolver, askTimeoutMs } = context.facts.environment;
  return {
    prompt: asked.prompt,
    details: asked.details,
    who: "approver",
    ruleId: asked.name,
    source: "engine",
    matchedPattern: null,
    unresolvedText: asked.prompt,
    resolver: askResolver ?? null,
    askTimeoutMs,
    grants: grants === undefined ? null : { store: grants, rememberTools },
    policy: null,
    configuredAsk: false,
    flooredConfiguredAllow: false,
    descriptorChanged,
  };
}

/** An approver's rewrite meets deny grants and hooks anew; the pipeline's gates judge it when it reaches them. */
async function judgeAgain(context: DispatchContext, input: JsonValue): Promise<ToolDispatchResult | null> {
  const { grants: store, hooks } = context.facts.environment;
  context.input = input;
  if (store !== undefined) {
    const denied = await deniedByGrant(context, store);
    if (denied !== null) return denied;
    if (context.facts.recorder.failedStores.has(store)) context.facts.recorder.failedStores.set(store, true);
  }
  const hook = await hooks?.preToolUse(context);
  switch (hook?.kind) {
    case "cancelled":
      return refuse(context, decisionOf(context, "cancelled", hook.name, "engine", CANCELLED_DECIDING));
    case "block":
      return blockedBy(context, hook);
    default:
      return null;
  }
}

function blockedBy(context: DispatchContext, hook: { name: string; reason: string }): ToolDispatchResult {
  return refuse(context, decisionOf(context, "deny", hook.name, "hook", hook.reason), hook.reason);
}

async function deniedByGrant(
  context: DispatchContext,
  store: GrantStore,
): Promise<ToolDispatchResult | null> {
  const remembered = await recall(store, context);
  if (remembered.kind === "cancelled") {
    return refuse(context, decisionOf(context, "cancelled", STORE_RULE, "engine", CANCELLED_DECIDING));
  }
  if (remembered.kind === "failed" || remembered.deny === null) return null;
  return refuse(context, decisionOf(context, "deny", remembered.deny.id, "grant", DENIED_BY_GRANT));
}

function refuse(context: DispatchContext, decision: GateDecision, text?: string): ToolDispatchResult {
  context.facts.recorder.record(decision);
  return reported(context, refusal(context.callId, decision, text ?? refusalText(decision)));
}

function reported(context: DispatchContext, result: ToolDispatchResult): ToolDispatchResult {
  const { environment, recorder } = context.facts;
  const cause = reportedRecord(recorder.deciding, environment.clock);
  environment.onReport({ level: "warn", message: "tool call blocked by engine", cause });
  return result;
}
