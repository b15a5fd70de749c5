import { type GateDecision, precedenceTier } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { decisionOf } from "../gate/decision.js";
import { foldDryRun, unreadable } from "../gate/dry-run.js";
import { recall } from "../gate/recall.js";
import { CANCELLED_DECIDING, DENIED_BY_GRANT } from "../gate/texts.js";
import type { DispatchGuard } from "../guards/guard.js";
import { isPromiseLike } from "../is-promise.js";
import { admit, type Dispatch } from "../pipeline/dispatch.js";
import { dryRunRefusal } from "../pipeline/dry-run-refusal.js";
import type { ToolPipeline } from "../pipeline/tool-pipeline.js";
import { STORE_RULE } from "./decide-before-pipeline.js";
import { objectionOf } from "./guards.js";

/** The dry run of a whole engine, in the order of a real dispatch. */
export async function dryRunBeforePipeline(
  dispatch: Dispatch,
  pipeline: ToolPipeline,
  guards: readonly DispatchGuard[],
): Promise<GateDecision | null> {
  let admitted = admit(dispatch, pipeline.registry);
  if (isPromiseLike(admitted)) admitted = await admitted;
  if ("refused" in admitted) return dryRunRefusal(dispatch.facts, admitted.refused);
  const { context } = admitted;
  const before = await beforePipeline(context);
  if (before.decision !== null && precedenceTier(before.decision.verdict) === 2) return before.decision;
  const guarded = () => dryRunOfGuards(context, guards);
  const piped = () => pipeline.dryRun(context);
  if (!before.isQuestion) return foldDryRun(before.decision, foldDryRun(await guarded(), await piped()));
  // Where something is to be asked, the pipeline's denials come first, so that nobody is asked in vain.
  const foreseen = await piped();
  const isCovered = before.decision?.rule_id === STORE_RULE && foreseen?.verdict === "ask";
  return isCovered
    ? foldDryRun(await guarded(), foreseen)
    : foldDryRun(before.decision, foldDryRun(foreseen, await guarded()));
}

interface BeforePipeline {
  decision: GateDecision | null;
  /** whether somebody must be asked, or a remembered approval answers for them */
  isQuestion: boolean;
}

/** Remembered denials and hooks; a remembered approval answers a hook's question. */
async function beforePipeline(context: DispatchContext): Promise<BeforePipeline> {
  const { grants, hooks } = context.facts.environment;
  const decided = (decision: GateDecision | null): BeforePipeline => ({ decision, isQuestion: false });
  const question = (decision: GateDecision): BeforePipeline => ({ decision, isQuestion: true });
  const remembered = grants === undefined ? null : await recall(grants, context);
  if (remembered?.kind === "cancelled")
    return decided(decisionOf(context, "cancelled", STORE_RULE, "engine", CANCELLED_DECIDING));
  if (remembered?.kind === "recollection" && remembered.deny !== null) {
    return decided(decisionOf(context, "deny", remembered.deny.id, "grant", DENIED_BY_GRANT));
  }
  const hook = (await hooks?.preToolUse(context)) ?? { kind: "allow" as const };
  switch (hook.kind) {
    case "cancelled":
      return decided(decisionOf(context, "cancelled", hook.name, "engine", CANCELLED_DECIDING));
    case "block":
      return decided(decisionOf(context, "deny", hook.name, "hook", hook.reason));
    case "ask":
      return remembered?.kind === "recollection" && remembered.allow !== null
        ? question(decisionOf(context, "allow", remembered.allow.id, "grant"))
        : question(decisionOf(context, "ask", hook.name, "hook", hook.prompt));
    case "allow":
      return remembered?.kind === "failed"
        ? question(decisionOf(context, "ask", STORE_RULE, "engine", unreadable(context.toolName)))
        : decided(null);
  }
}

/** A guard leaves no record of its own; what it would refuse is told as a denial under its name. */
async function dryRunOfGuards(
  context: DispatchContext,
  guards: readonly DispatchGuard[],
): Promise<GateDecision | null> {
  const objection = await objectionOf(guards, context);
  if (objection === null) return null;
  return objection.action === "cancelled"
    ? decisionOf(context, "cancelled", objection.guard, "engine", CANCELLED_DECIDING)
    : decisionOf(context, "deny", objection.guard, "engine", objection.reason);
}
