import { type AskAnswer, type Clock, onAbort, type PendingAsk } from "@x/permission-core";
import { type Agent, fetch, type Response } from "undici";
import { AddressRefused } from "./address-policy.js";
import { namesAnother, readAnswerText } from "./answer-text.js";
import { BodyTooLong, readBody } from "./read-body.js";
import { retryAfterMs } from "./retry-delay.js";

/** One attempt to post an ask. */
export interface AskPost {
  readonly url: URL;
  readonly agent: Agent;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly ask: PendingAsk;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly clock: Clock;
}

export type PostOutcome =
  | { kind: "answered"; answer: AskAnswer }
  /** the endpoint will answer later */
  | { kind: "accepted" }
  /** `why` names no host; `cause` may */
  | { kind: "failed"; why: string; mayRetry: boolean; retryAfterMs: number; cause?: unknown };

/** Posts once, bounded in time. Rejects only with the reason of `signal`, as soon as that aborts. */
export async function postAsk(post: AskPost, signal: AbortSignal): Promise<PostOutcome> {
  signal.throwIfAborted();
  const attempt = new AbortController();
  const unsubscribe = onAbort(signal, () => attempt.abort(signal.reason));
  const timer = post.clock.setTimer(() => attempt.abort(OUT_OF_TIME), post.timeoutMs);
  try {
    const response = await fetch(post.url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", "accept-encoding": "identity", ...post.headers },
      body: post.body,
      signal: attempt.signal,
      dispatcher: post.agent,
    });
    return await outcomeOf(response, post, attempt.signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (attempt.signal.aborted) return failure("did not answer in time", { mayRetry: true, cause });
    if (isRefused(cause)) return failure("has an address that asks are not sent to", { cause });
    return failure("could not be reached", { mayRetry: true, cause });
  } finally {
    timer.cancel();
    unsubscribe();
    // Ends what is left of a response that nobody read to its end.
    attempt.abort(OVER);
  }
}

// Made once: an error is costly to make, and every attempt ends with one.
const OVER: Error = new Error("the attempt is over");
const OUT_OF_TIME: Error = new Error("the attempt is out of time");

async function outcomeOf(response: Response, post: AskPost, signal: AbortSignal): Promise<PostOutcome> {
  const { status } = response;
  if (status === 202) {
    await drain(response, post, signal);
    return { kind: "accepted" };
  }
  if (status === 200) return readAnswer(response, post, signal);
  const isBusy = status === 429 || status >= 500;
  return failure(`answered with status ${status}`, {
    mayRetry: isBusy,
    retryAfterMs: isBusy ? retryAfterMs(response.headers.get("retry-after"), post.clock.now()) : 0,
  });
}

async function readAnswer(response: Response, post: AskPost, signal: AbortSignal): Promise<PostOutcome> {
  // None was asked for. What unpacks them takes a text that is cut off for a whole one.
  const encoding = response.headers.get("content-encoding")?.trim() ?? "";
  if (encoding !== "" && encoding.toLowerCase() !== "identity") return failure("answered in an encoding", {});
  let bytes: Buffer;
  try {
    bytes = await readBody(response.body, post.mostBytes, signal);
  } catch (cause) {
    if (cause instanceof BodyTooLong) return failure("answered with too long a body", { cause });
    throw cause;
  }
  try {
    const given = readAnswerText(bytes);
    if (namesAnother(post.ask, given)) return failure("answered for another ask", {});
    return { kind: "answered", answer: given.answer };
  } catch (cause) {
    return failure("gave no answer of a known form", { cause });
  }
}

/** Lets the connection be used again where the body is short; it was accepted whatever the body is. */
async function drain(response: Response, post: AskPost, signal: AbortSignal): Promise<void> {
  try {
    await readBody(response.body, post.mostBytes, signal);
  } catch {
    // The connection is given up.
  }
}

function failure(
  why: string,
  {
    mayRetry = false,
    retryAfterMs = 0,
    cause,
  }: { mayRetry?: boolean; retryAfterMs?: number; cause?: unknown },
): PostOutcome {
  return { kind: "failed", why, mayRetry, retryAfterMs, ...(cause !== undefined && { cause }) };
}

function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AddressRefused) return true;
  }
  return false;
}
