import { type AskAnswer, type Clock, onAbort, type PendingAsk } from "@x/permission-core";
import type { AskEnding } from "../ask-endings.js";
import { statusOfAbort } from "../decide-answer.js";
import type { AskName } from "../tells-parked.js";

type AskStatus = AskEnding["status"];

/** What a caller gives beside the ask. */
export interface WaitContext {
  signal: AbortSignal;
  /** told the ask once it stands in Redis, and again where it is another one from then on */
  onParked?: ((stored: AskName) => void) | undefined;
}

/** What a caller tells of itself. */
export interface WaiterHandlers {
  /** its signal ended it */
  onLeft(waiter: Waiter, status: AskStatus): void;
  /** its deadline is near: it is time to see whether there is an answer of which nothing has told */
  onNearDeadline(): void;
  onDeadline(waiter: Waiter): void;
}

/** How long before a deadline it is near, at most; of a short time it is this share. */
const NEAR_MS = 500;
const NEAR_SHARE = 0.1;

/**
 * One caller that wants the answer to an ask. Its waiting ends once: by an answer, a failure, or its signal. From then on it
 * holds no listener and no timer.
 */
export class Waiter {
  readonly answer: Promise<AskAnswer>;
  /** Unix ms; Infinity for no deadline */
  readonly expiresAtMs: number;
  #settle: { resolve: (answer: AskAnswer) => void; reject: (error: unknown) => void } | null = null;
  #release = () => {};
  readonly #onParked: (stored: AskName) => void;
  readonly #leave: (status: AskStatus, error: unknown) => void;

  constructor(
    { expires_at_ms = Number.POSITIVE_INFINITY }: Pick<PendingAsk, "expires_at_ms">,
    { signal, onParked = () => {} }: WaitContext,
    clock: Clock,
    handlers: WaiterHandlers,
  ) {
    this.expiresAtMs = expires_at_ms;
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#onParked = onParked;
    this.#leave = (status, error) => {
      if (this.#settle === null) return;
      this.fail(error);
      handlers.onLeft(this, status);
    };
    this.#release = onAbort(signal, () => this.#leave(statusOfAbort(signal.reason), signal.reason));
    if (expires_at_ms !== Number.POSITIVE_INFINITY) this.#setTimer(clock, handlers);
  }

  /** It leaves where its listener throws. */
  tellParked(stored: AskName): void {
    try {
      this.#onParked(stored);
    } catch (error) {
      this.#leave("cancelled", error);
    }
  }

  give(answer: AskAnswer): void {
    this.#end()?.resolve(answer);
  }

  fail(error: unknown): void {
    this.#end()?.reject(error);
  }

  #end(): { resolve: (answer: AskAnswer) => void; reject: (error: unknown) => void } | null {
    const settle = this.#settle;
    this.#settle = null;
    this.#release();
    return settle;
  }

  /** One at a time: most waits end before theirs. */
  #setTimer(clock: Clock, handlers: WaiterHandlers): void {
    const unsubscribe = this.#release;
    const remainingMs = Math.max(Math.ceil(this.expiresAtMs - clock.now()), 1);
    const nearMs = Math.floor(remainingMs - Math.min(NEAR_MS, NEAR_SHARE * remainingMs));
    let timer = clock.setTimer(() => {
      timer = clock.setTimer(() => handlers.onDeadline(this), remainingMs - nearMs);
      handlers.onNearDeadline();
    }, nearMs);
    this.#release = () => {
      unsubscribe();
      timer.cancel();
    };
  }
}
