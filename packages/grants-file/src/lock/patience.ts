import type { Clock } from "@x/permission-core";

const FIRST_DELAY_MS = 1;
const LONGEST_DELAY_MS = 20;

/** Milliseconds before attempt `attempt` + 1: 1, 2, 4 … 20, of which `random` (0 to 1) leaves between half and all. */
export function backOffMs(attempt: number, random: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS) * (0.5 + random / 2);
}

/** Waits longer and longer between attempts, until it has waited `timeoutMs` since the first of them. */
export class Patience {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #attempts = 0;
  #isOver = false;
  #timer: { cancel(): void } | null = null;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** false, without waiting, once the time is over. */
  async wait(): Promise<boolean> {
    if (this.#isOver || this.#timeoutMs === 0) return false;
    this.#timer ??= this.#clock.setTimer(() => {
      this.#isOver = true;
    }, this.#timeoutMs);
    const delayMs = backOffMs(this.#attempts, Math.random());
    this.#attempts += 1;
    await new Promise<void>((resolve) => this.#clock.setTimer(resolve, delayMs));
    return true;
  }

  end(): void {
    this.#timer?.cancel();
  }
}
