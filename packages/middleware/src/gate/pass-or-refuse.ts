import type { GateDecision, GrantStore } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import type { NextLayer } from "../tool-middleware.js";
import { decisionOf, reportedRecord } from "./decision.js";
import { type GateSettings, ownId } from "./gate-settings.js";
import type { RefusedRewrite } from "./rewrite.js";
import { CANCELLED_ASKING, CANCELLED_DECIDING, DENIED_BY_GRANT, refusal } from "./texts.js";
import type { Verdict } from "./verdict.js";

// The ways in which a call leaves a gate, each with its record.

/** One call at one gate. */
export interface GatedCall {
  settings: GateSettings;
  context: DispatchContext;
  next: NextLayer;
  store: GrantStore | null;
}

/** Passes a call whose question was answered: by a grant, whose record is still to be left, or by somebody. */
export function passAnswered(
  call: GatedCall,
  verdict: Verdict,
  answer: GateDecision | null,
): Promise<ToolDispatchResult> {
  const { context } = call;
  if (answer !== null) context.facts.recorder.record(answer);
  return verdict.rewrite === null ? call.next() : pass(call, rewriteRecord(context, verdict));
}

export function pass(call: GatedCall, decision: GateDecision): Promise<ToolDispatchResult> {
  call.context.facts.recorder.record(decision);
  return call.next();
}

export function rewriteRecord(context: DispatchContext, verdict: Verdict): GateDecision {
  return decisionOf(context, "allow_modified", verdict.ruleId, verdict.source, null, verdict.matchedPattern);
}

export function refuse(call: GatedCall, decision: GateDecision, text?: string): Promise<ToolDispatchResult> {
  const { facts } = call.context;
  facts.recorder.record(decision);
  return reported(call, refusal(facts.callId, decision, text));
}

export function refuseRewrite(
  call: GatedCall,
  { ruleId, source }: Pick<Verdict, "ruleId" | "source">,
  refused: RefusedRewrite,
): Promise<ToolDispatchResult> {
  const decision = decisionOf(
    call.context,
    refused.verdict,
    ruleId,
    refused.source ?? source,
    refused.reason,
  );
  return refuse(call, decision);
}

export function deniedByGrant(call: GatedCall, grantId: string): Promise<ToolDispatchResult> {
  return refuse(call, decisionOf(call.context, "deny", grantId, "grant", DENIED_BY_GRANT));
}

export function cancelledDeciding(
  call: GatedCall,
  ruleId = ownId(call.settings),
): Promise<ToolDispatchResult> {
  return refuse(call, decisionOf(call.context, "cancelled", ruleId, "engine", CANCELLED_DECIDING));
}

export function cancelledAsking(call: GatedCall, verdict: Verdict): Promise<ToolDispatchResult> {
  return refuse(
    call,
    decisionOf(call.context, "cancelled", verdict.ruleId, verdict.source, CANCELLED_ASKING),
  );
}

export function reported(call: GatedCall, result: ToolDispatchResult): Promise<ToolDispatchResult> {
  const { environment, recorder } = call.context.facts;
  environment.onReport({
    level: "warn",
    message: "tool call blocked by permission middleware",
    cause: reportedRecord(recorder.deciding, environment.clock),
  });
  return Promise.resolve(result);
}
