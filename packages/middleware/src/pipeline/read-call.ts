import { NIL_UUID, type PermissionCheck } from "@x/permission-core";
import { ALLOW, copyClaim } from "../gate/copy-check.js";
import type { ToolCall, ToolContext } from "../tool.js";
import { type GivenInput, readInput } from "./read-input.js";

/** Who calls, as far as a call and its engine say. */
export type Session = Readonly<Omit<ToolContext, "signal">>;

/** A call as its caller gave it, each of its fields read once. */
export interface ReadCall {
  /** empty where the call names none */
  toolName: string;
  /** empty in a dry run, and where the call has none */
  callId: string;
  /** whole, 0 or more */
  turn: number;
  signal: AbortSignal | undefined;
  permission: PermissionCheck;
  session: Session;
  given: GivenInput | { kind: "malformed"; error: string };
}

/** Whose call it is where neither the call nor an engine says. */
export const NOBODY: Session = Object.freeze({
  sessionId: NIL_UUID,
  runId: NIL_UUID,
  isNonInteractive: false,
});

/**
 * Reads a call, which may come from plain JavaScript: one of no known form is `malformed`, with what is wrong in words for
 * the caller. Never throws.
 */
export function readCall(call: ToolCall, session: Session, dryRun: boolean): ReadCall {
  let toolName: unknown;
  let callId: unknown;
  try {
    ({ toolName, callId = dryRun ? "" : undefined } = call);
    const { turn = 0, signal, toolContext, permission } = call;
    const fault = faultOf(toolName, callId, turn, signal, dryRun);
    if (fault !== null) return malformed(session, toolName, callId, fault);
    const own = toolContext === undefined ? session : sessionOf(toolContext, session);
    if (own === null) return malformed(session, toolName, callId, BAD_SESSION);
    return {
      toolName: toolName as string,
      callId: callId as string,
      turn,
      signal,
      // What is no claim stays, and is refused by the gate that honours it.
      permission: permission === undefined ? ALLOW : copyClaim(permission),
      session: own,
      given: readInput(call),
    };
  } catch {
    return malformed(session, toolName, callId, "it cannot be read");
  }
}

/** In characters, as records demand. */
const LONGEST_ID = 128;
const BAD_SESSION =
  "its toolContext must hold texts, ids of at most 128 characters, and isNonInteractive true or false";

function malformed(session: Session, toolName: unknown, callId: unknown, fault: string): ReadCall {
  return {
    toolName: typeof toolName === "string" ? toolName : "",
    callId: typeof callId === "string" ? callId : "",
    turn: 0,
    signal: undefined,
    permission: ALLOW,
    session,
    given: { kind: "malformed", error: `The call is malformed: ${fault}` },
  };
}

function faultOf(
  toolName: unknown,
  callId: unknown,
  turn: unknown,
  signal: unknown,
  dryRun: boolean,
): string | null {
  if (typeof toolName !== "string") return "its toolName must be a text";
  if (typeof callId !== "string" || (callId === "" && !dryRun))
    return "its callId must be a text of one character or more";
  if (!Number.isSafeInteger(turn) || (turn as number) < 0) return "its turn must be a whole number from 0";
  if (signal !== undefined && !isAbortSignal(signal)) return "its signal must be an AbortSignal";
  return null;
}

/** By its form: a signal may come from another realm. */
function isAbortSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as AbortSignal).aborted === "boolean" &&
    typeof (value as AbortSignal).addEventListener === "function" &&
    typeof (value as AbortSignal).removeEventListener === "function"
  );
}

/** The call's own context before the engine's; null where it is none. */
function sessionOf(own: unknown, engines: Session): Session | null {
  if (typeof own !== "object" || own === null) return null;
  const {
    sessionId = engines.sessionId,
    runId = engines.runId,
    isNonInteractive = engines.isNonInteractive,
    agent = engines.agent,
  } = own as Partial<Session>;
  if (!isSessionId(sessionId) || !isSessionId(runId) || typeof isNonInteractive !== "boolean") return null;
  if (agent === undefined) return { sessionId, runId, isNonInteractive };
  return typeof agent === "string" ? { sessionId, runId, isNonInteractive, agent } : null;
}

/** Whether records can hold it: text of at most 128 characters. */
export function isSessionId(value: unknown): value is string {
  return typeof value === "string" && (value.length <= LONGEST_ID || [...value].length <= LONGEST_ID);
}
