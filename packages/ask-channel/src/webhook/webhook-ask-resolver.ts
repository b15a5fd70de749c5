import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  type Clock,
  type DispatchOutcome,
  displaySafe,
  onAbort,
  type PendingAsk,
  PermissionGateError,
  parsePendingAsk,
  randomIds,
  systemClock,
} from "@x/permission-core";
import { type AskContext, type AskSink, offerDirect } from "../ask-sink.js";
import { type AskName, putTelling } from "../tells-parked.js";
import { callbackUrlOf, endpointOf } from "./address-policy.js";
import { approversOf, refusalOfApprover } from "./approvers.js";
import { AskSender } from "./ask-sender.js";
import { mintToken } from "./callback-token.js";
import { checkCount, checkFlag, invalidOption } from "./check-options.js";
import { messageSigner } from "./sign-message.js";
import { type SecretKeys, secretKeys } from "./webhook-secrets.js";

export interface WebhookAskResolverOptions {
  /** Where asks are posted to: https, without user and password. */
  url: string | URL;
  /** One or more, for rotation: `whsec_` and base64 of 24 bytes or more. Asks are signed with all, their tokens with the first. */
  secrets: readonly string[];
  /** Where the endpoint posts its answer when it does not answer at once: https, without user and password. Needs `waitOn`. */
  callbackUrl?: string | URL;
  /**
   * Where an answer to a callback arrives: the asking side of the channel whose approver the callback handler was given. One
   * that tells which ask it goes on with, as `RedisAskResolver` does, also within a composition, is waited for before
   * the ask is posted under that id. A composition whose members know the ask by different ids has it posted under each.
   */
  waitOn?: AskResolver;
  /** Who may decide, by `decided_by`: an answer in the response that names nobody of these is refused. Left out: anybody. */
  approvers?: readonly string[];
  /**
   * Lets the endpoint be private, loopback or link-local, there without TLS too, and `callbackUrl` without TLS where its host is
   * `localhost` or such an address. Default false.
   */
  allowPrivateNetwork?: boolean;
  /**
   * Lets asks go to the public network without TLS, where everybody on the way can read and answer them, and answers come back so.
   * Default false.
   */
  allowHttp?: boolean;
  /** How often the ask is posted at most; default 4. */
  attempts?: number;
  /** How long the endpoint may take to answer one attempt; default 10,000. */
  attemptTimeoutMs?: number;
  /** How long all attempts may take together; default 30,000. */
  deliveryTimeoutMs?: number;
  /** The pause after the first attempt that failed; it doubles. Default 500. */
  retryDelayMs?: number;
  /** How long an ask without a deadline of its own waits for its callback, which is how long its token holds; default 24 hours. */
  waitAtMostMs?: number;
  /** How long the body of a response may be; default 65,536. */
  mostResponseBytes?: number;
  clock?: Clock;
}

/**
 * Posts asks to an endpoint, signed by Standard Webhooks. The endpoint answers in its response (200, with the answer as JSON), or takes
 * the ask (202) and posts its answer to the callback later. What goes wrong rejects with code `ask_unavailable`, in words that
 * name no host; the cause may name one, and holds no secrets. A deadline that passes rejects with `ask_expired`.
 */
export class WebhookAskResolver implements AskResolver {
  readonly interactive = false;
  readonly #sender: AskSender;
  readonly #keys: SecretKeys;
  readonly #callbackUrl: string | null;
  readonly #waitOn: AskResolver | null;
  readonly #approvers: readonly string[] | undefined;
  readonly #waitAtMostMs: number;
  readonly #clock: Clock;
  readonly #open = new Set<(reason: PermissionGateError) => void>();
  #isClosed = false;

  /** Throws code `invalid_option`. */
  constructor(options: WebhookAskResolverOptions) {
    const { attempts = 4, attemptTimeoutMs = 10_000, deliveryTimeoutMs = 30_000 } = options;
    const { retryDelayMs = 500, waitAtMostMs = 86_400_000, mostResponseBytes = 65_536 } = options;
    checkCount("attempts", attempts, 1);
    checkCount("attemptTimeoutMs", attemptTimeoutMs, 1);
    checkCount("deliveryTimeoutMs", deliveryTimeoutMs, 1);
    checkCount("retryDelayMs", retryDelayMs, 0);
    checkCount("waitAtMostMs", waitAtMostMs, 1);
    checkCount("mostResponseBytes", mostResponseBytes, 1);
    const { callbackUrl, waitOn } = options;
    if ((callbackUrl === undefined) !== (waitOn === undefined)) {
      throw invalidOption("give callbackUrl and waitOn together, or neither");
    }
    const { allowHttp = false, allowPrivateNetwork = false } = options;
    checkFlag("allowHttp", allowHttp);
    checkFlag("allowPrivateNetwork", allowPrivateNetwork);
    const allowed = { allowHttp, allowPrivateNetwork };
    const { url, policy } = endpointOf(options.url, allowed);
    this.#keys = secretKeys(options.secrets);
    this.#callbackUrl = callbackUrl === undefined ? null : callbackUrlOf(callbackUrl, allowed).href;
    this.#waitOn = waitOn ?? null;
    this.#approvers = approversOf(options);
    this.#waitAtMostMs = waitAtMostMs;
    this.#clock = options.clock ?? systemClock;
    this.#sender = new AskSender({
      url,
      policy,
      sign: messageSigner(this.#keys),
      attempts,
      attemptTimeoutMs,
      deliveryTimeoutMs,
      retryDelayMs,
      mostBytes: mostResponseBytes,
      clock: this.#clock,
    });
    offerDirect(this, (pending, context, sink) => this.#put(pending, context, sink));
  }

  /** Rejects with `signal.reason` as soon as that aborts, which ends the request too. */
  resolve(pending: PendingAsk, context: AskContext): Promise<AskResolution | AskAnswer> {
    const answered = new Promise<AskResolution | AskAnswer>((answer, fail) => {
      this.#put(pending, context, { answer, fail });
    });
    // A caller whose wait ended otherwise has stopped listening.
    answered.catch(() => {});
    return answered;
  }

  async settled(pending: PendingAsk, outcome: DispatchOutcome): Promise<void> {
    await this.#waitOn?.settled?.(pending, outcome);
  }

  /** Ends all requests. What waits, and all that comes, rejects with code `ask_unavailable`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#open) end(closed());
    await this.#sender.close();
  }

  #put(pending: PendingAsk, { signal, isNonInteractive }: AskContext, sink: AskSink): void {
    const nowMs = this.#clock.now();
    const endsAtMs = pending.expires_at_ms ?? nowMs + this.#waitAtMostMs;
    if (signal.aborted || this.#isClosed || endsAtMs <= nowMs) {
      sink.fail(signal.aborted ? signal.reason : this.#isClosed ? closed() : expired(pending));
      return;
    }
    // Ends what asks still, the request and the wait, once the other has answered or the call wants no answer any more.
    const asking = new AbortController();
    let isOver = false;
    const end = (reason: unknown, tell: () => void) => {
      if (isOver) return;
      isOver = true;
      unsubscribe();
      timer.cancel();
      this.#open.delete(fail);
      asking.abort(reason);
      for (const { stop } of postings) stop.abort(reason);
      tell();
    };
    const answer = (given: AskResolution | AskAnswer) => end(answered(pending), () => sink.answer(given));
    const fail = (reason: unknown) => end(reason, () => sink.fail(reason));
    const unsubscribe = onAbort(signal, () => fail(signal.reason));
    const timer = this.#clock.setTimer(() => fail(expired(pending)), endsAtMs - nowMs);
    this.#open.add(fail);
    // Those that are under way or were accepted: any may be of an ask that waits, unless another stands in its place.
    const postings = new Set<{ readonly id: string; readonly stop: AbortController }>();
    const post = ({ id, instead }: AskName) => {
      if (isOver) return;
      for (const earlier of postings) {
        if (earlier.id !== instead) continue;
        postings.delete(earlier);
        earlier.stop.abort(answered(pending));
      }
      const posting = { id, stop: new AbortController() };
      postings.add(posting);
      void this.#send({ ...pending, id }, endsAtMs, posting.stop.signal, {
        answer: (given) => {
          if (postings.has(posting)) answer(id === pending.id ? given : ofStored(id, given));
        },
        fail: (error) => {
          if (postings.delete(posting) && postings.size === 0) fail(error);
        },
      });
    };
    // Parked before the endpoint hears of it: its callback may come before its response.
    const context = { signal: asking.signal, isNonInteractive, onParked: post };
    if (this.#waitOn === null) post(pending);
    else putTelling(this.#waitOn, pending, context, { answer, fail });
  }

  async #send(pending: PendingAsk, endsAtMs: number, signal: AbortSignal, sink: AskSink): Promise<void> {
    try {
      const message = { id: `ask_${randomIds.uuid()}`, body: this.#bodyOf(pending, endsAtMs) };
      const answer = await this.#sender.send(pending, message, signal);
      if (answer === null) return this.#accepted(sink);
      const refusal = refusalOfApprover(answer, this.#approvers);
      if (refusal === null) sink.answer(answer);
      else sink.fail(unavailable(`the webhook endpoint's answer was refused: ${refusal}`));
    } catch (error) {
      sink.fail(error);
    }
  }

  #accepted(sink: AskSink): void {
    if (this.#waitOn !== null) return;
    sink.fail(unavailable("the webhook endpoint will answer later, and there is no callback"));
  }

  /** Of an ask, what has a place on the wire, and nothing that a host put beside it. */
  #bodyOf(pending: PendingAsk, endsAtMs: number): string {
    const ask = parsePendingAsk(pending);
    if (this.#callbackUrl === null) return JSON.stringify({ ask });
    const { id, args_digest } = ask;
    const claims = { id, args_digest, issued_at_ms: this.#clock.now(), expires_at_ms: endsAtMs };
    const token = mintToken(claims, this.#keys[0]);
    return JSON.stringify({ ask, callback_url: this.#callbackUrl, token });
  }
}

/** An answer to the ask that an earlier process left. */
function ofStored(id: string, answer: AskResolution | AskAnswer): AskAnswer {
  if (answer === "Approve") return { resolution: "Approve", ask_id: id };
  return answer === "Deny" ? { resolution: "Deny", ask_id: id } : { ...answer, ask_id: id };
}

function unavailable(why: string): PermissionGateError {
  return new PermissionGateError("ask_unavailable", why);
}

function closed(): PermissionGateError {
  return unavailable("the webhook resolver was closed");
}

function expired(pending: PendingAsk): PermissionGateError {
  return new PermissionGateError("ask_expired", `${nameOf(pending)}: its deadline passed`);
}

function answered(pending: PendingAsk): PermissionGateError {
  return new PermissionGateError("ask_answered", `${nameOf(pending)} was answered`);
}

function nameOf({ id }: PendingAsk): string {
  return `ask ${displaySafe(id).text}`;
}
