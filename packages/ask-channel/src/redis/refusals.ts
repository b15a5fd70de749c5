import { displaySafe, PermissionGateError } from "@x/permission-core";

/** Nobody can be asked. */
export function unavailable(why: string, cause?: unknown): PermissionGateError {
  return new PermissionGateError("ask_unavailable", `the ask cannot be put: ${why}`, { cause });
}

/** Another wait has the call, or the ask. */
export function alreadyWaiting(askId: string): PermissionGateError {
  return new PermissionGateError(
    "already_waiting",
    `${nameOf(askId)}: somebody else waits for the same call`,
  );
}

export function endedElsewhere(askId: string, status: string): PermissionGateError {
  const code = status === "expired" ? "ask_expired" : "ask_unavailable";
  return new PermissionGateError(code, `${nameOf(askId)} was ended in Redis`);
}

export function callEnded(askId: string, status: "cancelled" | "already_answered"): PermissionGateError {
  const code = status === "cancelled" ? "ask_cancelled" : "ask_answered";
  return new PermissionGateError(code, `${nameOf(askId)}: its call has ended`);
}

export function expired(askId: string): PermissionGateError {
  return new PermissionGateError("ask_expired", `${nameOf(askId)}: its deadline passed`);
}

/** Ids may come from Redis, where anybody may have written them. */
function nameOf(askId: string): string {
  return `ask ${displaySafe(askId).text}`;
}
