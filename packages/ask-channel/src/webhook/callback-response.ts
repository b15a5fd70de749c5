import type { AnswerStatus } from "@x/permission-core";

/** What a callback came to, as its sender is told. */
type CallbackStatus =
  | AnswerStatus
  | "malformed"
  | "bad_signature"
  | "stale"
  | "bad_token"
  | "not_an_approver"
  | "method_not_allowed"
  | "too_slow"
  | "too_large"
  | "failed"
  | "busy";

const HTTP_STATUS: Readonly<Record<CallbackStatus, number>> = {
  delivered: 200,
  malformed: 400,
  bad_signature: 401,
  stale: 401,
  bad_token: 401,
  not_an_approver: 403,
  unknown: 404,
  method_not_allowed: 405,
  too_slow: 408,
  already_answered: 409,
  expired: 410,
  cancelled: 410,
  too_large: 413,
  mismatch: 422,
  failed: 500,
  busy: 503,
};

export interface CallbackResult {
  readonly status: CallbackStatus;
  /** for whoever sent the callback; says nothing about others */
  readonly message: string;
}

export const FAILED: CallbackResult = {
  status: "failed",
  message: "This could not be handled: send it again, with the same id.",
};

/** The response that tells it, as JSON that nobody may keep. */
export function callbackResponse({ status, message }: CallbackResult): Response {
  const headers: Record<string, string> = { "content-type": "application/json", "cache-control": "no-store" };
  if (status === "method_not_allowed") headers["allow"] = "POST";
  if (status === "busy") headers["retry-after"] = "1";
  return new Response(JSON.stringify({ status, message }), { status: HTTP_STATUS[status], headers });
}

/** Reads back what was kept of a result; null where it is none. */
export function readResult(value: unknown): CallbackResult | null {
  const { status, message } = (value ?? {}) as Partial<CallbackResult>;
  if (typeof status !== "string" || !Object.hasOwn(HTTP_STATUS, status)) return null;
  return typeof message === "string" ? { status, message } : null;
}

/** What became of an answer, in a sentence. */
export function answerResult(status: AnswerStatus): CallbackResult {
  const message = Object.hasOwn(ANSWERED, status) ? ANSWERED[status] : undefined;
  if (message === undefined) throw new Error("the approver gave no status of a known form");
  return { status, message };
}

const ANSWERED: Readonly<Record<AnswerStatus, string>> = {
  delivered: "The answer reached the call that waits.",
  already_answered: "This was decided already.",
  expired: "This came after the time for an answer: it delivers nothing.",
  cancelled: "The call was cancelled: it needs no answer any more.",
  unknown: "No such ask is known here.",
  mismatch: "The answer is for another call than the ask that it names.",
};
