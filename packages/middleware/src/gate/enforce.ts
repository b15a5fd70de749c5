import type { GrantStore, JsonValue } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import { isPromiseLike } from "../is-promise.js";
import type { NextLayer } from "../tool-middleware.js";
import { type Consultation, consult, policyRequest } from "./consult.js";
import { decisionOf } from "./decision.js";
import { unreadable } from "./dry-run.js";
import { type GateSettings, ownId } from "./gate-settings.js";
import {
  cancelledAsking,
  cancelledDeciding,
  deniedByGrant,
  type GatedCall,
  pass,
  passAnswered,
  refuse,
  refuseRewrite,
  reported,
  rewriteRecord,
} from "./pass-or-refuse.js";
import { type Question, raiseAsk } from "./raise-ask.js";
import { mayAnswer, recall } from "./recall.js";
import { acceptRewrite, type RefusedRewrite } from "./rewrite.js";
import type { Verdict } from "./verdict.js";

/**
 * Decides a call and lets it pass or refuses it, leaving its record. Stays synchronous up to the tool where checks are,
 * nothing is remembered and nobody is asked.
 */
export function enforce(
  settings: GateSettings,
  context: DispatchContext,
  next: NextLayer,
): Promise<ToolDispatchResult> {
  const store = settings.grants?.store ?? context.facts.environment.grants ?? null;
  const call: GatedCall = { settings, context, next, store };
  // A layer outside has given up: nobody need decide any more, and the core would run nothing.
  if (context.facts.recorder.closed) return next();
  if (store !== null) return enforceRemembered(call, store);
  const consultation = consult(settings, context);
  return isPromiseLike(consultation)
    ? consultation.then((later) => applyConsultation(call, later))
    : applyVerdict(call, consultation);
}

/** A deny grant refuses before any check; a store that fails makes the call a question. */
async function enforceRemembered(call: GatedCall, store: GrantStore): Promise<ToolDispatchResult> {
  const { context, settings } = call;
  if (context.facts.state.recalled !== store || !context.untouched) {
    const remembered = await recall(store, context, settings.checkTimeoutMs);
    if (remembered.kind === "cancelled") return cancelledDeciding(call);
    if (remembered.kind === "recollection" && remembered.deny !== null)
      return deniedByGrant(call, remembered.deny.id);
  }
  const consultation = await consult(settings, context);
  return "kind" in consultation ? applyConsultation(call, consultation) : applyVerdict(call, consultation);
}

function applyConsultation(call: GatedCall, consultation: Consultation): Promise<ToolDispatchResult> {
  return consultation.kind === "cancelled"
    ? cancelledDeciding(call)
    : applyVerdict(call, consultation.verdict);
}

function applyVerdict(call: GatedCall, verdict: Verdict): Promise<ToolDispatchResult> {
  const { context } = call;
  const { check, ruleId, source, matchedPattern } = verdict;
  switch (check.kind) {
    case "deny":
      return refuse(call, decisionOf(context, "deny", ruleId, source, check.reason, matchedPattern));
    case "ask":
      return ask(call, verdict, check);
    case "allow":
      if (mustAskForStore(call)) return ask(call, verdict, { prompt: unreadable(context.toolName) });
      return pass(call, decisionOf(context, "allow", ruleId, source, null, matchedPattern));
    case "modify": {
      if (mustAskForStore(call)) {
        const rewritten = { ...verdict, rewrite: { input: check.modifiedInput } };
        return ask(call, rewritten, { prompt: unreadable(context.toolName) });
      }
      const refused = acceptRewrite(check.modifiedInput, call.settings, context);
      const go = (reason: RefusedRewrite | null) =>
        reason === null ? pass(call, rewriteRecord(context, verdict)) : refuseRewrite(call, verdict, reason);
      return isPromiseLike(refused) ? Promise.resolve(refused).then(go) : go(refused);
    }
  }
}

/** Whether this gate's store failed in this dispatch, and nobody has consented yet to go on without it. */
function mustAskForStore(call: GatedCall): boolean {
  return call.store !== null && call.context.facts.recorder.failedStores.get(call.store) === false;
}

/** A question: first what is remembered may answer it, then somebody must. */
async function ask(
  call: GatedCall,
  verdict: Verdict,
  words: { prompt: string; details?: string },
): Promise<ToolDispatchResult> {
  const { context, settings, store } = call;
  if (verdict.rewrite !== null) {
    const refused = await acceptRewrite(verdict.rewrite.input, settings, context);
    if (refused !== null) return refuseRewrite(call, verdict, refused);
  }
  let descriptorChanged = false;
  if (store !== null && !context.facts.recorder.failedStores.has(store)) {
    const remembered = await recall(store, context, settings.checkTimeoutMs);
    if (remembered.kind === "cancelled") return cancelledAsking(call, verdict);
    if (remembered.kind === "recollection") {
      const { deny, allow } = remembered;
      if (deny !== null) return deniedByGrant(call, deny.id);
      if (allow !== null && mayAnswer(allow, verdict.configuredAsk)) {
        return passAnswered(call, verdict, decisionOf(context, "allow", allow.id, "grant"));
      }
      descriptorChanged = remembered.descriptorChanged;
    }
  }
  const answered = await raiseAsk(questionOf(call, verdict, words, descriptorChanged), context);
  if (answered.kind === "refused") return reported(call, answered.result);
  if (store !== null && context.facts.recorder.failedStores.has(store)) {
    context.facts.recorder.failedStores.set(store, true);
  }
  return answered.rewrite === null
    ? passAnswered(call, verdict, null)
    : judgeAgain(call, answered.rewrite.input);
}

function questionOf(
  call: GatedCall,
  verdict: Verdict,
  words: { prompt: string; details?: string },
  descriptorChanged: boolean,
): Question {
  const { settings, context, store } = call;
  const { environment } = context.facts;
  const { policy } = settings;
  return {
    prompt: words.prompt,
    details: words.details,
    who: "user",
    ruleId: verdict.ruleId,
    source: verdict.source,
    matchedPattern: verdict.matchedPattern,
    resolver: settings.askResolver ?? environment.askResolver ?? null,
    askTimeoutMs: settings.askTimeoutMs ?? environment.askTimeoutMs,
    grants:
      store === null
        ? null
        : { store, rememberTools: settings.grants?.rememberTools ?? environment.rememberTools },
    policy: policy === null ? null : { policy: policy.policy, request: policyRequest(policy, context) },
    configuredAsk: verdict.configuredAsk,
    flooredConfiguredAllow: verdict.flooredConfiguredAllow,
    descriptorChanged,
  };
}

/**
 * An input that an approver put in the place of the model's is judged like any other: by deny grants, hooks and this gate's
 * own sources. A block or a denial refuses it; a question counts as answered, since the approver just did.
 */
async function judgeAgain(call: GatedCall, input: JsonValue): Promise<ToolDispatchResult> {
  const { context, settings, store } = call;
  const unfit = await acceptRewrite(input, settings, context);
  if (unfit !== null) return refuseRewrite(call, { ruleId: ownId(settings), source: "middleware" }, unfit);
  // The engine's own look-up saw the model's input only, so its store is asked as well.
  for (const known of new Set([store, context.facts.environment.grants ?? null])) {
    if (known === null) continue;
    const remembered = await recall(known, context, settings.checkTimeoutMs);
    if (remembered.kind === "cancelled") return cancelledDeciding(call);
    if (remembered.kind === "recollection" && remembered.deny !== null)
      return deniedByGrant(call, remembered.deny.id);
    if (remembered.kind === "failed") context.facts.recorder.failedStores.set(known, true);
  }
  const hook = await context.facts.environment.hooks?.preToolUse(context);
  if (hook?.kind === "cancelled") return cancelledDeciding(call, hook.name);
  if (hook?.kind === "block") {
    // As for every block of a hook, the model reads the bare reason.
    return refuse(call, decisionOf(context, "deny", hook.name, "hook", hook.reason), hook.reason);
  }
  const consultation = await consult(settings, context);
  if ("kind" in consultation && consultation.kind === "cancelled") return cancelledDeciding(call);
  const verdict = "kind" in consultation ? consultation.verdict : consultation;
  const { check } = verdict;
  if (check.kind === "deny") {
    return refuse(
      call,
      decisionOf(context, "deny", verdict.ruleId, verdict.source, check.reason, verdict.matchedPattern),
    );
  }
  const rewrite = check.kind === "modify" ? { input: check.modifiedInput } : verdict.rewrite;
  if (rewrite === null) return call.next();
  const refused = await acceptRewrite(rewrite.input, settings, context);
  return refused === null
    ? pass(call, rewriteRecord(context, verdict))
    : refuseRewrite(call, verdict, refused);
}
