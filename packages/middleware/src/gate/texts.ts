import type { GateDecision } from "@x/permission-core";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";

/** What the model reads of a refusal, worked out from its record alone. */
export function refusalText(decision: GateDecision): string {
  const { tool, reason } = decision;
  switch (decision.verdict) {
    case "ask_unresolved":
      return `${capitalise(reason ?? "")} for tool '${tool}' (no approver available)`;
    case "ask_denied":
      return reason === UNAVAILABLE
        ? `Permission denied: ${UNAVAILABLE} for tool '${tool}'`
        : `Permission ${reason ?? ""} for tool '${tool}'`;
    default:
      return `Permission ${reason ?? ""} for tool '${tool}'`;
  }
}

/** A denial is a soft error: the model reads why, and may do something else. */
export function refusal(
  callId: string,
  decision: GateDecision,
  text: string = refusalText(decision),
): ToolDispatchResult {
  return failure(callId, "permission", text);
}

export const POLICY_ERROR = "policy error";
export const DENIED_BY_GRANT = "denied by a remembered decision";
export const EXPIRED = "ask expired unanswered";
export const CANCELLED_ASKING = "cancelled while awaiting approval";
export const CANCELLED_DECIDING = "cancelled while deciding";
export const UNAVAILABLE = "approval channel unavailable";
export const RESOLVER_ERROR = "resolver error";
export const HOOK_ERROR = "hook error";

/** The reason of an ask that nobody could be asked. */
export function permissionRequired(prompt: string): string {
  return `permission required: ${prompt}`;
}

/** The reason of a refusal by `user` (a gate's question) or `approver` (a hook's). */
export function deniedBy(who: "user" | "approver", reason: string | undefined): string {
  return reason === undefined || reason === "" ? `denied by ${who}` : `denied by ${who}: ${reason}`;
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
