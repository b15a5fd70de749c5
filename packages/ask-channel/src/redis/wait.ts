import {
  type AskAnswer,
  type Clock,
  onAbort,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import type { AskEnding } from "../ask-endings.js";
import { statusOfAbort } from "../decide-answer.js";
import type { Parking } from "./asking-scripts.js";
import type { Rerun } from "./rerun.js";

/** How a wait ended on this side, so that the ask must be taken down. */
export type OnCalledOff = (wait: Wait, status: AskEnding["status"]) => void;

/**
 * One call that waits for its answer. It ends once: by an answer, a failure, the signal, or the ask's deadline by the
 * waiter's own clock. From then on it holds no listener and no timer.
 */
export class Wait {
  readonly ask: PendingAsk;
  readonly call: string | null;
  readonly token: string;
  readonly answer: Promise<AskAnswer>;
  /** The ask as it stands in Redis, signature and JSON: its own, or the one that it was attached to. */
  stored: { id: string; text: string };
  /** whether Redis is known to hold it */
  isParked = false;
  /** whether it is known to be of the form of an ask */
  isChecked = false;
  isAnswered = false;
  /** how it was called off, if it was */
  calledOffAs: AskEnding["status"] | null = null;
  /** reads what became of it */
  reader: Rerun | null = null;
  readonly #clock: Clock;
  #settle: { resolve: (answer: AskAnswer) => void; reject: (error: unknown) => void } | null = null;
  #free: (() => void)[] = [];

  constructor(
    parking: { ask: PendingAsk; text: string; call: string | null; token: string },
    { signal, clock, onCalledOff }: { signal: AbortSignal; clock: Clock; onCalledOff: OnCalledOff },
  ) {
    const { ask, text } = parking;
    this.ask = ask;
    this.call = parking.call;
    this.token = parking.token;
    this.stored = { id: ask.id, text };
    this.#clock = clock;
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A caller whose wait ended otherwise has stopped listening: its rejection is no accident that a host should hear of.
    this.answer.catch(() => {});
    const callOff = (status: AskEnding["status"], error: unknown) => {
      if (this.isOver) return;
      this.calledOffAs = status;
      this.fail(error);
      onCalledOff(this, status);
    };
    this.#free.push(onAbort(signal, () => callOff(statusOfAbort(signal.reason), signal.reason)));
    const remainingMs = this.remainingMs();
    if (remainingMs === null) return;
    const timer = clock.setTimer(() => callOff("expired", expired(ask)), remainingMs);
    this.#free.push(() => timer.cancel());
  }

  get isOver(): boolean {
    return this.#settle === null;
  }

  /** Until the deadline, by the waiter's clock; null for none, else at least 1. */
  remainingMs(): number | null {
    const { expires_at_ms } = this.ask;
    return expires_at_ms === undefined ? null : Math.max(Math.ceil(expires_at_ms - this.#clock.now()), 1);
  }

  /** What the scripts are told of it. */
  parking(): Parking {
    const { call, token, stored } = this;
    return {
      id: stored.id,
      stored: stored.text,
      argsDigest: this.ask.args_digest,
      call,
      wait: token,
      remainingMs: this.remainingMs(),
    };
  }

  give(answer: AskAnswer): void {
    const settle = this.#end();
    if (settle === null) return;
    this.isAnswered = true;
    settle.resolve(answer);
  }

  fail(error: unknown): void {
    this.#end()?.reject(error);
  }

  /** Fulfils after `ms` milliseconds, or once the wait is over. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.isOver) return resolve();
      const timer = this.#clock.setTimer(resolve, ms);
      this.#free.push(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #end(): { resolve: (answer: AskAnswer) => void; reject: (error: unknown) => void } | null {
    const settle = this.#settle;
    this.#settle = null;
    const free = this.#free;
    this.#free = [];
    for (const each of free) each();
    return settle;
  }
}

export function expired(ask: PendingAsk): PermissionGateError {
  return new PermissionGateError("ask_expired", `ask ${ask.id}: its deadline passed`);
}
