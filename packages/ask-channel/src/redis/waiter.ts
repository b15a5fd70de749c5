import { type AskAnswer, onAbort } from "@x/permission-core";
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

/**
 * One caller that wants the answer to an ask. Its waiting ends once: by an answer, a failure, or its signal. From then on it
 * holds no listener.
 */
export class Waiter {
  readonly answer: Promise<AskAnswer>;
  #settle: { resolve: (answer: AskAnswer) => void; reject: (error: unknown) => void } | null = null;
  #unsubscribe = () => {};
  readonly #onParked: (stored: AskName) => void;
  readonly #leave: (status: AskStatus, error: unknown) => void;

  /** `onLeft` is called where its signal ended it. */
  constructor(
    { signal, onParked = () => {} }: WaitContext,
    onLeft: (waiter: Waiter, status: AskStatus) => void,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#onParked = onParked;
    this.#leave = (status, error) => {
      if (this.#settle === null) return;
      this.fail(error);
      onLeft(this, status);
    };
    this.#unsubscribe = onAbort(signal, () => this.#leave(statusOfAbort(signal.reason), signal.reason));
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
    this.#unsubscribe();
    return settle;
  }
}
