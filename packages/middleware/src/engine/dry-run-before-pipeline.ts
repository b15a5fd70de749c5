import type { GateDecision } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { decisionOf } from "../gate/decision.js";
import { foldDryRun, unreadable } from "../gate/dry-run.js";
import { recall } from "../gate/recall.js";
import { CANCELLED_DECIDING, DENIED_BY_GRANT } from "../gate/texts.js";
import type { DispatchGuard } from "../guards/guard.js";
import { admit, type Dispatch } from "../pipeline/dispatch.js";
import { dryRunRefusal } from "../pipeline/dry-run-refusal.js";
import type { ToolPipeline } from "../pipeline/tool-pipeline.js";
import { objectionOf } from "./guards.js";

/** The dry run of a whole engine, in the order of a real dispatch. */
export async function dryRunBeforePipeline(
  dispatch: Dispatch,
  pipeline: ToolPipeline,
  guards: readonly DispatchGuard[],
): Promise<GateDecision | null> {
  const admitted = await admit(dispatch, pipeline.registry);
  if ("refused" in admitted) return dryRunRefusal(dispatch.facts, admitted.refused);
  const { context } = admitted;
  context.snapshot();
  const before = foldDryRun(await beforePipeline(context), await guarded(context, guards));
  return foldDryRun(before, await pipeline.dryRun(context));
}

/** Remembered denials and hooks; a remembered approval answers a hook's question. */
async function beforePipeline(context: DispatchContext): Promise<GateDecision | null> {
  const { grants, hooks } = context.facts.environment;
  const remembered = grants === undefined ? null : await recall(grants, context);
  if (remembered?.kind === "cancelled")
    return decisionOf(context, "cancelled", "grants", "engine", CANCELLED_DECIDING);
  if (remembered?.kind === "recollection" && remembered.deny !== null) {
    return decisionOf(context, "deny", remembered.deny.id, "grant", DENIED_BY_GRANT);
  }
  const hook = (await hooks?.preToolUse(context)) ?? { kind: "allow" as const };
  switch (hook.kind) {
    case "cancelled":
      return decisionOf(context, "cancelled", hook.name, "engine", CANCELLED_DECIDING);
    case "block":
      return decisionOf(context, "deny", hook.name, "hook", hook.reason);
    case "ask":
      return remembered?.kind === "recollection" && remembered.allow !== null
        ? decisionOf(context, "allow", remembered.allow.id, "grant")
        : decisionOf(context, "ask", hook.name, "hook", hook.prompt);
    case "allow":
      return remembered?.kind === "failed"
        ? decisionOf(context, "ask", "grants", "engine", unreadable(context.toolName))
        : null;
  }
}

async function guarded(
  context: DispatchContext,
  guards: readonly DispatchGuard[],
): Promise<GateDecision | null> {
  const objection = await objectionOf(guards, context, true);
  return objection === null ? null : decisionOf(context, "deny", objection.guard, "engine", objection.reason);
}
