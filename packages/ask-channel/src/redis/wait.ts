import type { AskAnswer, Clock, PendingAsk } from "@x/permission-core";
import type { AskEnding } from "../ask-endings.js";
import type { Parking } from "./asking-scripts.js";
import { expired } from "./refusals.js";
import type { Rerun } from "./rerun.js";
import { type WaitContext, Waiter } from "./waiter.js";

/** What a wait tells of itself. */
export interface WaitHandlers {
  /** it ended on this side */
  takeDown(wait: Wait, status: AskEnding["status"]): void;
  /** its deadline has passed by the waiter's own clock: it is to be expired, unless an answer came in time */
  onDeadline(wait: Wait): void;
}

/**
 * One ask that waits for its answer, and all callers in this process that put it. It ends once, by an answer or a failure, or
 * when the last of the callers has left. From then on it holds no timer.
 */
export class Wait {
  readonly ask: PendingAsk;
  readonly call: string | null;
  readonly token: string;
  /** The ask as it stands in Redis, signature and JSON: its own, or the one that it was attached to. */
  stored: { id: string; text: string };
  /** whether it is known to be of the form of an ask */
  isChecked = false;
  isAnswered = false;
  /** how it was called off, if it was */
  calledOffAs: AskEnding["status"] | null = null;
  /** reads what became of it */
  reader: Rerun | null = null;
  readonly #text: string;
  readonly #clock: Clock;
  readonly #handlers: WaitHandlers;
  readonly #waiters = new Set<Waiter>();
  #parkedId: string | null = null;
  #isOver = false;
  #free: (() => void)[] = [];

  /** The first caller is to join at once. */
  constructor(
    parking: { ask: PendingAsk; text: string; call: string | null; token: string },
    clock: Clock,
    handlers: WaitHandlers,
  ) {
    const { ask, text } = parking;
    this.ask = ask;
    this.call = parking.call;
    this.token = parking.token;
    this.stored = { id: ask.id, text };
    this.#text = text;
    this.#clock = clock;
    this.#handlers = handlers;
    const remainingMs = this.remainingMs();
    if (remainingMs === null) return;
    const timer = clock.setTimer(() => handlers.onDeadline(this), remainingMs);
    this.#free.push(() => timer.cancel());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** whether Redis is known to hold it */
  get isParked(): boolean {
    return this.#parkedId !== null;
  }

  /** Whether a caller that puts an ask of this text may join it. */
  isAbout(text: string): boolean {
    return !this.#isOver && this.#text === text;
  }

  /** One more caller, who gets the answer too. */
  join(context: WaitContext): Promise<AskAnswer> {
    const waiter = new Waiter(context, (left, status) => this.#leave(left, status));
    this.#waiters.add(waiter);
    if (this.#parkedId !== null) this.#tellParked(waiter, this.#parkedId);
    return waiter.answer;
  }

  /** Redis holds it as it is in `stored`. */
  parked(): void {
    const { id } = this.stored;
    if (this.#isOver || this.#parkedId === id) return;
    this.#parkedId = id;
    for (const waiter of [...this.#waiters]) this.#tellParked(waiter, id);
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
    if (this.#isOver) return;
    this.isAnswered = true;
    for (const waiter of this.#end()) waiter.give(answer);
  }

  fail(error: unknown): void {
    for (const waiter of this.#end()) waiter.fail(error);
  }

  /** Its deadline has passed, and there was no answer. */
  expire(): void {
    if (this.#isOver) return;
    this.calledOffAs = "expired";
    this.fail(expired(this.ask.id));
    this.#handlers.takeDown(this, "expired");
  }

  /** Fulfils after `ms` milliseconds, or once the wait is over. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) return resolve();
      const timer = this.#clock.setTimer(resolve, ms);
      this.#free.push(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #tellParked(waiter: Waiter, id: string): void {
    waiter.tellParked({ id, args_digest: this.ask.args_digest });
  }

  #leave(waiter: Waiter, status: AskEnding["status"]): void {
    this.#waiters.delete(waiter);
    if (this.#isOver || this.#waiters.size > 0) return;
    this.calledOffAs = status;
    this.#end();
    this.#handlers.takeDown(this, status);
  }

  /** Gives those who wait still. */
  #end(): Waiter[] {
    const waiters = [...this.#waiters];
    this.#isOver = true;
    this.#waiters.clear();
    for (const free of this.#free) free();
    this.#free = [];
    return waiters;
  }
}
