import { decisiveRecord, type GateDecision, type GrantStore, precedenceTier } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { consult } from "./consult.js";
import { decisionOf } from "./decision.js";
import { type GateSettings, ownId } from "./gate-settings.js";
import { mayAnswer, recall } from "./recall.js";
import { acceptRewrite } from "./rewrite.js";
import { CANCELLED_ASKING, CANCELLED_DECIDING, DENIED_BY_GRANT } from "./texts.js";
import type { Verdict } from "./verdict.js";

/** What this gate and the layers inside it would decide. Nothing is asked, saved or run. */
export async function dryRun(
  settings: GateSettings,
  context: DispatchContext,
  next: () => Promise<GateDecision | null>,
): Promise<GateDecision | null> {
  const own = await dryRunHere(settings, context);
  return precedenceTier(own.verdict) === 2 ? own : foldDryRun(own, await next());
}

/** Of an outer and an inner decision: the first denial, else the outermost ask, else by the lattice. */
export function foldDryRun(outer: GateDecision | null, inner: GateDecision | null): GateDecision | null {
  if (outer === null || inner === null) return outer ?? inner;
  if (precedenceTier(outer.verdict) === 2) return outer;
  if (precedenceTier(inner.verdict) === 2) return inner;
  if (outer.verdict === "ask") return outer;
  return inner.verdict === "ask" ? inner : decisiveRecord(inner, outer);
}

/** What is asked where remembered decisions cannot be read. */
export function unreadable(toolName: string): string {
  return `Remembered decisions cannot be read. Allow this call of tool '${toolName}'?`;
}

async function dryRunHere(settings: GateSettings, context: DispatchContext): Promise<GateDecision> {
  const store = settings.grants?.store ?? context.facts.environment.grants;
  if (store === undefined) return judge(await verdictOf(settings, context), settings, context);

  const remembered = await recall(store, context, settings.checkTimeoutMs);
  if (remembered.kind === "cancelled") return cancelledDeciding(settings, context);
  if (remembered.kind === "recollection" && remembered.deny !== null) {
    return decisionOf(context, "deny", remembered.deny.id, "grant", DENIED_BY_GRANT);
  }
  const verdict = await verdictOf(settings, context);
  const decision = await judge(verdict, settings, context);
  if (precedenceTier(decision.verdict) === 2) return decision;
  if (remembered.kind === "failed") {
    return decision.verdict === "ask"
      ? decision
      : { ...decision, verdict: "ask", reason: unreadable(context.toolName) };
  }
  return decision.verdict === "ask" && verdict !== null
    ? answeredByGrant(store, decision, verdict, settings, context)
    : decision;
}

/** A question meets what is remembered of the input as it stands by then, a rewrite beside the question included. */
async function answeredByGrant(
  store: GrantStore,
  question: GateDecision,
  verdict: Verdict,
  settings: GateSettings,
  context: DispatchContext,
): Promise<GateDecision> {
  const remembered = await recall(store, context, settings.checkTimeoutMs);
  if (remembered.kind === "cancelled") {
    return decisionOf(context, "cancelled", verdict.ruleId, verdict.source, CANCELLED_ASKING);
  }
  if (remembered.kind === "failed") return question;
  const { deny, allow } = remembered;
  if (deny !== null) return decisionOf(context, "deny", deny.id, "grant", DENIED_BY_GRANT);
  if (allow === null || !mayAnswer(allow, verdict.configuredAsk)) return question;
  return verdict.rewrite === null
    ? decisionOf(context, "allow", allow.id, "grant")
    : { ...question, verdict: "allow_modified", reason: null };
}

async function verdictOf(settings: GateSettings, context: DispatchContext): Promise<Verdict | null> {
  const consultation = await consult(settings, context);
  if (!("kind" in consultation)) return consultation;
  return consultation.kind === "cancelled" ? null : consultation.verdict;
}

async function judge(
  verdict: Verdict | null,
  settings: GateSettings,
  context: DispatchContext,
): Promise<GateDecision> {
  if (verdict === null) return cancelledDeciding(settings, context);
  const { check, ruleId, source, matchedPattern } = verdict;
  const rewrite = check.kind === "modify" ? { input: check.modifiedInput } : verdict.rewrite;
  const refused = rewrite === null ? null : await acceptRewrite(rewrite.input, settings, context);
  if (refused !== null) {
    return decisionOf(context, refused.verdict, ruleId, refused.source ?? source, refused.reason);
  }
  switch (check.kind) {
    case "allow":
      return decisionOf(context, "allow", ruleId, source, null, matchedPattern);
    case "deny":
      return decisionOf(context, "deny", ruleId, source, check.reason, matchedPattern);
    case "ask":
      return decisionOf(context, "ask", ruleId, source, check.prompt, matchedPattern);
    case "modify":
      return decisionOf(context, "allow_modified", ruleId, source, null, matchedPattern);
  }
}

function cancelledDeciding(settings: GateSettings, context: DispatchContext): GateDecision {
  return decisionOf(context, "cancelled", ownId(settings), "engine", CANCELLED_DECIDING);
}
