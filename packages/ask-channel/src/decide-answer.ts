import { type AnswerStatus, isPermissionGateError } from "@x/permission-core";
import type { AskEnding, RepeatableAnswer } from "./ask-endings.js";

/** One try at answering an ask. */
export interface AnswerAttempt {
  /** What the answering side says the ask is about; null where its form names the id only. */
  readonly argsDigest: string | null;
  /** Set when it carries an `answerId`. */
  readonly repeatable: RepeatableAnswer | undefined;
}

/** What the channel knows about the ask that the attempt names. */
export interface AskKnowledge {
  /** The digest of the ask that waits under this id. */
  readonly waitingDigest: string | undefined;
  /** How the latest ask of this id ended, while that is remembered. */
  readonly ending: AskEnding | undefined;
}

export type AnswerDecision = { kind: "deliver" } | { kind: "inert"; status: AnswerStatus };

/**
 * What becomes of an answer. A repeat is inert even if an ask of the same id waits again: it was given to the earlier
 * one. Every path but `deliver` leaves the ask as it is.
 */
export function decideAnswer(known: AskKnowledge, attempt: AnswerAttempt): AnswerDecision {
  const { waitingDigest, ending } = known;
  if (ending !== undefined && isRepeat(ending, attempt)) return { kind: "inert", status: "delivered" };
  const digest = waitingDigest ?? ending?.argsDigest;
  if (digest === undefined) return { kind: "inert", status: "unknown" };
  if (attempt.argsDigest !== null && attempt.argsDigest !== digest)
    return { kind: "inert", status: "mismatch" };
  if (waitingDigest !== undefined) return { kind: "deliver" };
  return { kind: "inert", status: ending?.status ?? "unknown" };
}

function isRepeat(ending: AskEnding, attempt: AnswerAttempt): boolean {
  const { answer } = ending;
  if (answer === undefined || answer.answerId !== attempt.repeatable?.answerId) return false;
  if (answer.text !== attempt.repeatable.text) return false;
  return attempt.argsDigest === null || attempt.argsDigest === ending.argsDigest;
}

/** The status that `signal.reason` leaves behind. A reason that is none of ours counts as a cancel. */
export function statusOfAbort(reason: unknown): AskEnding["status"] {
  if (isPermissionGateError(reason, "ask_expired")) return "expired";
  if (isPermissionGateError(reason, "ask_answered")) return "already_answered";
  return "cancelled";
}
