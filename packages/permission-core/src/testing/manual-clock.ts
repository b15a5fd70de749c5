import type { Clock } from "../clock.js";

interface Timer {
  /** on the clock's own running time, which jumps do not touch */
  dueMs: number;
  callback: () => void;
}

/** A clock that stands still until it is told otherwise. */
export class ManualClock implements Clock {
  /** in order of creation, which decides between timers that are due together */
  readonly #timers = new Set<Timer>();
  #elapsedMs = 0;
  #epochMs: number;

  /** Starts at `startMs`, Unix time. Default 1,700,000,000,000, in November 2023. */
  constructor(startMs = 1_700_000_000_000) {
    this.#epochMs = startMs;
  }

  now(): number {
    return this.#epochMs + this.#elapsedMs;
  }

  /** Calls back from within `advance`. A negative delay or `NaN` counts as 0; `Infinity` never comes. */
  setTimer(callback: () => void, delayMs: number): { cancel(): void } {
    const timer: Timer = { dueMs: this.#elapsedMs + Math.max(delayMs || 0, 0), callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** How many timers are set and have neither run nor been cancelled. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /**
   * Lets `ms` milliseconds pass. Timers that fall due run in order of their time, each seeing the time it is due; those
   * that they set run too where they fall due within. What a callback throws comes out here.
   */
  advance(ms: number): void {
    const untilMs = this.#elapsedMs + ms;
    for (let timer = this.#nextDue(untilMs); timer !== null; timer = this.#nextDue(untilMs)) {
      this.#timers.delete(timer);
      this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs);
      timer.callback();
    }
    this.#elapsedMs = Math.max(this.#elapsedMs, untilMs);
  }

  /** Sets the time of day to `ms`, as somebody who corrects a clock does: no timer runs, and none moves. */
  set(ms: number): void {
    this.#epochMs = ms - this.#elapsedMs;
  }

  #nextDue(untilMs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.dueMs <= untilMs && (next === null || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}
