import type { AskAnswer, Clock, PendingAsk } from "@x/permission-core";
import type { AskEnding } from "../ask-endings.js";
import type { Parking } from "./asking-scripts.js";
import { expired } from "./refusals.js";
import type { Rerun } from "./rerun.js";
import { type WaitContext, Waiter } from "./waiter.js";

/** What a wait knows of its ask, and leaves to the next one that is put by the same id. */
export interface AskStanding {
  /** the server that last told what it knows of this wait, and when that was asked, by a clock that nobody sets */
  confirmed: { server: string; askedAtMs: number } | null;
  /** nothing counts any more that is given to that id */
  isGivenUp: boolean;
}

/** What a wait tells of itself. */
export interface WaitHandlers {
  /** it ended on this side */
  takeDown(wait: Wait, status: AskEnding["status"]): void;
  /** Redis is to be told how long it lasts, and asked what became of it, before this is done anyway */
  refresh(wait: Wait): void;
  /** the deadline of the last caller has passed by its own clock: it is to be expired, unless an answer came in time */
  onDeadline(wait: Wait, waiter: Waiter): void;
}

/**
 * One ask that waits for its answer, and all callers in this process that put it, each with a deadline of its own. It ends
 * once, by an answer or a failure, or when the last of the callers has left. From then on it holds no timer.
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
  readonly #clock: Clock;
  readonly #handlers: WaitHandlers;
  readonly #waiters = new Set<Waiter>();
  #isParked = false;
  /** the id under which it is known to be answered; null while it is put, or put anew under another */
  #parkedId: string | null = null;
  /** the last that was told, while it is put anew */
  #insteadOf: string | null = null;
  readonly #leaseMs: number;
  readonly #standing: AskStanding;
  #isOver = false;
  readonly #pauses = new Set<() => void>();
  /** the latest deadline of all who ever put it: Unix ms, Infinity for none */
  #expiresAtMs = Number.NEGATIVE_INFINITY;
  /** the same by a clock that nobody sets */
  #untilMs = 0;
  /** the deadline as Redis was told it */
  #toldMs = Number.NEGATIVE_INFINITY;

  /**
   * The first caller is to join before it is put to Redis, as `stored`. Silent for `leaseMs`, it may be taken for left behind.
   * `standing`: what the wait before it has left, its own from then on.
   */
  constructor(
    parking: {
      ask: PendingAsk;
      stored: { id: string; text: string };
      call: string | null;
      token: string;
      standing: AskStanding;
      leaseMs: number;
    },
    clock: Clock,
    handlers: WaitHandlers,
  ) {
    this.ask = parking.ask;
    this.call = parking.call;
    this.token = parking.token;
    this.stored = parking.stored;
    this.#standing = parking.standing;
    this.#leaseMs = parking.leaseMs;
    this.#clock = clock;
    this.#handlers = handlers;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it has another id than the one that it was put by, since nothing counts any more that is given to that. */
  get isRenewed(): boolean {
    return this.#standing.isGivenUp;
  }

  /** whether Redis is known to hold it, under the id that it has or an earlier one */
  get isParked(): boolean {
    return this.#isParked;
  }

  /** Whether another process may have gone on with its ask: no server told for a lease that nobody had. */
  get isDoubtful(): boolean {
    const { confirmed } = this.#standing;
    if (this.call === null || confirmed === null) return false;
    return performance.now() - confirmed.askedAtMs >= this.#leaseMs;
  }

  /** Whether this server, by its own name, knows of all that became of the ask: another one may have lost that an answer was taken. */
  isSureOn(server: string): boolean {
    return !this.isDoubtful || (server !== "" && server === this.#standing.confirmed?.server);
  }

  /**
   * `server` knows of nobody who went on with it; that was asked at `askedAtMs`, by `performance.now()`. Ends no doubt. Where it is the
   * first to tell, and took a lease or more, it may have taken the place of one that had the ask before.
   */
  confirm(server: string, askedAtMs: number): void {
    if (!this.isSureOn(server)) return;
    const isFirst = this.#standing.confirmed === null;
    this.#standing.confirmed = { server, askedAtMs };
    if (isFirst && this.isDoubtful) this.#standing.confirmed = { server: "", askedAtMs };
  }

  /** It goes on under an id that was never used before, and of which nobody is told before Redis holds it. */
  renew(server: string): void {
    this.#insteadOf = this.#parkedId ?? this.#insteadOf;
    this.#parkedId = null;
    this.#standing.isGivenUp = true;
    this.#standing.confirmed = { server, askedAtMs: performance.now() };
  }

  /** Whether a caller that puts this ask may join it: it is the same, though its deadline may be another. */
  isAbout(ask: PendingAsk): boolean {
    return !this.#isOver && textOfAllButDeadline(ask) === textOfAllButDeadline(this.ask);
  }

  /** One more caller, who gets the answer too. Where it waits for longer than the others, the ask lasts for longer. */
  join(ask: Pick<PendingAsk, "expires_at_ms">, context: WaitContext): Promise<AskAnswer> {
    const waiter = new Waiter(ask, context, this.#clock, {
      onLeft: (left, status) => this.#leave(left, status),
      onNearDeadline: () => this.#handlers.refresh(this),
      onDeadline: (late) => this.#onDeadline(late),
    });
    this.#waiters.add(waiter);
    if (waiter.expiresAtMs > this.#expiresAtMs) {
      this.#expiresAtMs = waiter.expiresAtMs;
      this.#untilMs = performance.now() + waiter.expiresAtMs - this.#clock.now();
    }
    if (this.#parkedId === null) return waiter.answer;
    this.#tellLonger();
    this.#tellParked([waiter], this.#parkedId);
    return waiter.answer;
  }

  /** Redis holds it as it is in `stored`. */
  parked(): void {
    const { id } = this.stored;
    if (this.#isOver || this.#parkedId === id) return;
    this.#isParked = true;
    this.#parkedId = id;
    this.#tellLonger();
    const insteadOf = this.#insteadOf;
    this.#insteadOf = null;
    this.#tellParked([...this.#waiters], id, insteadOf);
  }

  /** Until the last deadline, however clocks were set since; Infinity for none. */
  get leftMs(): number {
    return this.#untilMs - performance.now();
  }

  /** The last deadline: it grows where somebody joins who waits for longer. */
  get untilMs(): number {
    return this.#untilMs;
  }

  /** Until the last deadline, however clocks were set since; null for none, else at least 1. It is for Redis to be told. */
  remainingMs(): number | null {
    this.#toldMs = this.#expiresAtMs;
    const { leftMs } = this;
    return leftMs === Number.POSITIVE_INFINITY ? null : Math.max(Math.ceil(leftMs), 1);
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
      server: this.#standing.confirmed?.server,
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

  /** The caller's deadline has passed, and there was no answer. */
  expire(waiter: Waiter): void {
    if (!this.#waiters.has(waiter)) return;
    waiter.fail(expired(this.ask.id));
    this.#leave(waiter, "expired");
  }

  /** Fulfils after `ms` milliseconds, or once the wait is over. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) return resolve();
      const end = () => {
        this.#pauses.delete(end);
        timer.cancel();
        resolve();
      };
      const timer = this.#clock.setTimer(end, ms);
      this.#pauses.add(end);
    });
  }

  #tellLonger(): void {
    if (this.#expiresAtMs > this.#toldMs) this.#handlers.refresh(this);
  }

  /** Where others wait for longer, Redis takes answers that come too late for this one. */
  #onDeadline(waiter: Waiter): void {
    const isLast = [...this.#waiters].every(({ expiresAtMs }) => expiresAtMs <= waiter.expiresAtMs);
    if (isLast) this.#handlers.onDeadline(this, waiter);
    else this.expire(waiter);
  }

  #tellParked(waiters: readonly Waiter[], id: string, instead: string | null = null): void {
    const { args_digest } = this.ask;
    const stored = instead === null ? { id, args_digest } : { id, args_digest, instead };
    for (const waiter of waiters) waiter.tellParked({ ...stored });
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
    for (const end of this.#pauses) end();
    return waiters;
  }
}

function textOfAllButDeadline(ask: PendingAsk): string {
  return JSON.stringify({ ...ask, expires_at_ms: undefined });
}
