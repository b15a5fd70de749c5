import type { Wait } from "./wait.js";

/** How long an ask is held back after its second bad answer; twice as long after each further one. */
const FIRST_PAUSE_MS = 100;

/**
 * Waits that were given what is no answer, whose asks are put again: at once the first time, then after pauses that grow,
 * since whoever answers so may do it each time, as fast as they are asked.
 */
export class BadAnswers {
  readonly #longestMs: number;
  readonly #putAgain: (wait: Wait) => Promise<void>;
  readonly #counts = new WeakMap<Wait, number>();
  readonly #held = new WeakSet<Wait>();

  /** A pause has `longestMs` at most. */
  constructor(longestMs: number, putAgain: (wait: Wait) => Promise<void>) {
    this.#longestMs = longestMs;
    this.#putAgain = putAgain;
  }

  /** Whether its ask will be put again, and nothing can come of reading it before. */
  isHeld(wait: Wait): boolean {
    return this.#held.has(wait);
  }

  /** Fulfils without waiting for a pause. */
  async passOver(wait: Wait): Promise<void> {
    const earlier = this.#counts.get(wait) ?? 0;
    this.#counts.set(wait, earlier + 1);
    if (earlier === 0) return this.#putAgain(wait);
    this.#held.add(wait);
    void this.#putLater(wait, Math.min(FIRST_PAUSE_MS * 2 ** (earlier - 1), this.#longestMs));
  }

  async #putLater(wait: Wait, pauseMs: number): Promise<void> {
    await wait.pause(pauseMs);
    this.#held.delete(wait);
    if (!wait.isOver) await this.#putAgain(wait);
  }
}
