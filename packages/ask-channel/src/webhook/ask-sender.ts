import { type AskAnswer, type Clock, type PendingAsk, PermissionGateError } from "@x/permission-core";
import { Agent } from "undici";
import type { AddressPolicy } from "./address-policy.js";
import { type PostOutcome, postAsk } from "./ask-post.js";
import { type Connector, createConnector } from "./connector.js";
import { checkedLookup } from "./name-lookup.js";
import { retryDelayMs } from "./retry-delay.js";
import type { MessageSigner } from "./sign-message.js";
import { sleep } from "./sleep.js";

/** More connections to one endpoint are not opened: further asks wait for one, within their time. */
const MOST_CONNECTIONS = 128;

export interface AskSenderOptions {
  readonly url: URL;
  readonly policy: AddressPolicy;
  readonly sign: MessageSigner;
  readonly attempts: number;
  readonly attemptTimeoutMs: number;
  readonly deliveryTimeoutMs: number;
  readonly retryDelayMs: number;
  readonly mostBytes: number;
  readonly clock: Clock;
}

/** Posts asks to one endpoint, again where that may help. */
export class AskSender {
  readonly #options: AskSenderOptions;
  readonly #agent: Agent;
  readonly #connector: Connector;

  constructor(options: AskSenderOptions) {
    const { policy, attemptTimeoutMs } = options;
    this.#options = options;
    this.#connector = createConnector({ lookup: checkedLookup(policy), timeout: attemptTimeoutMs });
    this.#agent = new Agent({
      connections: MOST_CONNECTIONS,
      connect: this.#connector.connect,
      headersTimeout: attemptTimeoutMs,
      bodyTimeout: attemptTimeoutMs,
    });
  }

  /**
   * Gives the answer, or null where the endpoint will answer later. Rejects with the reason of `signal`, as soon as that aborts,
   * or with code `ask_unavailable` and the failure of the last attempt. All attempts carry the same `webhook-id`, `message.id`.
   */
  async send(
    ask: PendingAsk,
    message: { id: string; body: string },
    signal: AbortSignal,
  ): Promise<AskAnswer | null> {
    const { clock, attempts, deliveryTimeoutMs } = this.#options;
    let remainingMs = deliveryTimeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      const startedMs = clock.now();
      const outcome = await this.#post(ask, message, remainingMs, signal);
      if (outcome.kind === "answered") return outcome.answer;
      if (outcome.kind === "accepted") return null;
      // A clock that was set back or forward meanwhile neither lengthens the time nor ends it early by much.
      remainingMs -= Math.min(Math.max(clock.now() - startedMs, 0), this.#options.attemptTimeoutMs);
      const delayMs = retryDelayMs(attempt, {
        firstDelayMs: this.#options.retryDelayMs,
        retryAfterMs: outcome.retryAfterMs,
        random: Math.random(),
      });
      remainingMs -= delayMs;
      if (!outcome.mayRetry || attempt >= attempts || remainingMs <= 0) throw unavailable(outcome, attempt);
      await sleep(clock, delayMs, signal);
    }
  }

  /** Ends all connections, those in use and those that are being made too. */
  async close(): Promise<void> {
    const ended = this.#agent.destroy();
    this.#connector.end(new Error("the webhook resolver was closed"));
    await ended;
  }

  #post(
    ask: PendingAsk,
    message: { id: string; body: string },
    remainingMs: number,
    signal: AbortSignal,
  ): Promise<PostOutcome> {
    const { url, sign, clock, mostBytes, attemptTimeoutMs } = this.#options;
    const headers = sign(message, clock.now());
    const timeoutMs = Math.min(attemptTimeoutMs, remainingMs);
    const { body } = message;
    return postAsk({ url, agent: this.#agent, headers, body, ask, timeoutMs, mostBytes, clock }, signal);
  }
}

function unavailable(
  { why, cause }: { why: string; cause?: unknown },
  attempts: number,
): PermissionGateError {
  const message = `the webhook endpoint ${why}${attempts > 1 ? `, in ${attempts} attempts` : ""}`;
  return new PermissionGateError("ask_unavailable", message, { cause });
}
