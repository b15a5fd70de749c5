import {
  type Approver,
  type Clock,
  isolatedReport,
  isPermissionGateError,
  type OnReport,
  systemClock,
} from "@x/permission-core";
import { namesAnother, readAnswerText, type WireAnswer } from "./answer-text.js";
import { approversOf, refusalOfApprover } from "./approvers.js";
import { type RequestRead, readRequest } from "./callback-request.js";
import { answerResult, type CallbackResult, callbackResponse, FAILED } from "./callback-response.js";
import type { CallbackStore } from "./callback-store.js";
import { readToken } from "./callback-token.js";
import { checkCount, invalidOption } from "./check-options.js";
import { type Delivery, deliverOnce } from "./deliver-once.js";
import { MemoryCallbackStore } from "./memory-callback-store.js";
import { verifySignature } from "./verify-signature.js";
import { type SecretKeys, secretKeys } from "./webhook-secrets.js";

export interface CallbackHandlerOptions {
  /** Who hands the answer to the call that waits, in this process or in another. */
  deliver: Pick<Approver, "answer">;
  /** What callbacks are signed with, and tokens were; any of them. */
  secrets: readonly string[];
  /** Who may decide, by `decided_by`; an answer that names nobody of these is refused. Left out: anybody who can sign. */
  approvers?: readonly string[];
  /** How far the time of a callback may be from ours, in whole seconds, both ways. Default 300; only "off" turns it off. */
  toleranceSeconds?: number | "off";
  /** What was used already. Handlers that answer the same asks share one. Default: one of this process. */
  store?: CallbackStore;
  /** How long a body may be; default 262,144. */
  mostBodyBytes?: number;
  /** How long the body may take, and after it the delivery; default 10,000. */
  timeoutMs?: number;
  clock?: Clock;
  /**
   * Told of what failed inside, and of callbacks that read 401 or 403: the first of each kind, and again once one has passed the checks.
   * Default `console.warn`.
   */
  onReport?: OnReport;
}

/** Takes a Web Request, gives a Web Response; never throws for what a request holds. */
export type CallbackHandler = (request: Request) => Promise<Response>;

/** What the tolerance counts as, where it is off, when it comes to how long messages are kept. */
const TOLERANCE_WHEN_OFF = 43_200;

/**
 * Takes the answers that an endpoint posts later: signed, in time, with the token of their ask. 200: delivered · 400: malformed · 401: wrong
 * signature, time or token · 403: not an approver · 404: unknown ask · 405: no POST · 408, 413: too slow, too large · 409: answered
 * already · 410: expired or cancelled · 422: for another ask or digest · 500: failed · 503: still at it.
 *
 * A message that comes again, with the same `webhook-id` and body, gets the first response again, for twice the tolerance; while
 * the first is being handled, it waits for it. 404, 500 and 503 are not kept. Throws code `invalid_option`.
 */
export function createCallbackHandler(options: CallbackHandlerOptions): CallbackHandler {
  const handling = new CallbackHandling(options);
  return async (request) => callbackResponse(await handling.handle(request));
}

class CallbackHandling {
  readonly #delivery: Delivery;
  readonly #keys: SecretKeys;
  readonly #approvers: readonly string[] | undefined;
  readonly #toleranceSeconds: number | "off";
  readonly #mostBodyBytes: number;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #report: OnReport;
  /** the refusals that were reported since a callback passed the checks */
  readonly #refusals = new Set<string>();

  constructor(options: CallbackHandlerOptions) {
    const { toleranceSeconds = 300, mostBodyBytes = 262_144, timeoutMs = 10_000 } = options;
    const { deliver } = options;
    if (typeof deliver?.answer !== "function") throw invalidOption("deliver must be an approver");
    if (toleranceSeconds !== "off") checkCount("toleranceSeconds", toleranceSeconds, 0);
    checkCount("mostBodyBytes", mostBodyBytes, 1);
    checkCount("timeoutMs", timeoutMs, 1);
    this.#keys = secretKeys(options.secrets);
    this.#approvers = approversOf(options);
    this.#toleranceSeconds = toleranceSeconds;
    this.#clock = options.clock ?? systemClock;
    this.#mostBodyBytes = mostBodyBytes;
    this.#timeoutMs = timeoutMs;
    this.#report = isolatedReport(options.onReport);
    const keptFor = toleranceSeconds === "off" ? TOLERANCE_WHEN_OFF : toleranceSeconds;
    this.#delivery = {
      deliver,
      store: options.store ?? new MemoryCallbackStore({ clock: this.#clock }),
      clock: this.#clock,
      report: this.#report,
      leaseMs: 2 * timeoutMs,
      // Stamps are whole seconds, so a message can be in time for one more.
      keepMs: (2 * keptFor + 1) * 1000,
    };
  }

  async handle(request: Request): Promise<CallbackResult> {
    try {
      const read = await this.#read(request);
      if (read.kind === "refused") return read.result;
      return await this.#handleBody(request.headers, read.body);
    } catch (cause) {
      this.#reportFailure(cause);
      return FAILED;
    }
  }

  /** Of the checks, the first that fails decides. Nothing is kept before all have passed. */
  async #handleBody(headers: Headers, body: Buffer): Promise<CallbackResult> {
    const verified = verifySignature(headers, body, {
      keys: this.#keys,
      toleranceSeconds: this.#toleranceSeconds,
      nowMs: this.#clock.now(),
    });
    if (verified.kind === "refused") return this.#refused(SIGNATURE_REFUSED[verified.why]);
    let given: WireAnswer;
    try {
      given = readAnswerText(body);
    } catch (error) {
      if (!isPermissionGateError(error)) throw error;
      return { status: "malformed", message: error.message };
    }
    const { id, argsDigest, token } = given;
    if (id === undefined || argsDigest === undefined || token === undefined) {
      return { status: "malformed", message: "id, args_digest and token must be given" };
    }
    const refusal = refusalOfApprover(given.answer, this.#approvers);
    if (refusal !== null) return this.#refused({ status: "not_an_approver", message: refusal });
    const claims = readToken(token, this.#keys);
    if (claims === null) return this.#refused({ status: "bad_token", message: "The token is none of ours." });
    if (namesAnother(claims, given)) return answerResult("mismatch");
    this.#refusals.clear();
    const message = { id: verified.id, body, given, token, claims };
    return this.#inTime((signal) => deliverOnce(this.#delivery, message, signal));
  }

  /** What takes longer goes on, and is told of as being handled still. */
  #inTime(act: (signal: AbortSignal) => Promise<CallbackResult>): Promise<CallbackResult> {
    const timing = new AbortController();
    return new Promise((resolve, reject) => {
      const timer = this.#clock.setTimer(() => {
        timing.abort(OUT_OF_TIME);
        resolve(BUSY);
      }, this.#timeoutMs);
      act(timing.signal).then(
        (result) => {
          timer.cancel();
          resolve(result);
        },
        (error) => {
          timer.cancel();
          if (error === OUT_OF_TIME) return;
          if (timing.signal.aborted) this.#reportFailure(error);
          else reject(error);
        },
      );
    });
  }

  /** The bytes of a request; the time they may take is over when its signal aborts. */
  async #read(request: Request): Promise<RequestRead> {
    const timing = new AbortController();
    const timer = this.#clock.setTimer(() => timing.abort(OUT_OF_TIME), this.#timeoutMs);
    try {
      return await readRequest(request, this.#mostBodyBytes, timing.signal);
    } finally {
      timer.cancel();
    }
  }

  /** Reported a few times at most, since anybody may send. The message is one of ours, and says nothing of the request. */
  #refused(result: CallbackResult): CallbackResult {
    const { message } = result;
    if (!this.#refusals.has(message)) {
      this.#refusals.add(message);
      this.#report({ level: "warn", message: `a webhook callback was refused: ${message}` });
    }
    return result;
  }

  #reportFailure(cause: unknown): void {
    this.#report({ level: "error", message: "a webhook callback could not be handled", cause });
  }
}

const OUT_OF_TIME: Error = new Error("out of time");

const BUSY: CallbackResult = {
  status: "busy",
  message: "This is being handled still: send it again, with the same id.",
};

const SIGNATURE_REFUSED: Readonly<Record<"unsigned" | "bad_signature" | "stale", CallbackResult>> = {
  unsigned: { status: "bad_signature", message: "The headers that sign a message are missing or malformed." },
  bad_signature: { status: "bad_signature", message: "The signature is not right." },
  stale: { status: "stale", message: "The time of the message is too far from ours." },
};
