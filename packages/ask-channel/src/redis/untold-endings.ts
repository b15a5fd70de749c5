import type { Clock } from "@x/permission-core";

/** How many are told together: as many as go out in one round trip. */
const BATCH = 256;

/** How many are told again at a time, so that what is more urgent need not wait for long. */
const MOST_AT_ONCE = 4 * BATCH;

/** Of more, the oldest are forgotten: what they would end lasts until its time in Redis is up. */
const MOST_REMEMBERED = 100_000;

/** The end of an ask or of a claim that Redis has not heard of yet. */
export interface UntoldEnding {
  readonly id: string;
  /** the wait, or `<worker>/` for whichever it was of that worker */
  readonly wait: string;
  readonly status: string;
  /** the wait goes on with another ask, so that an answer to this one is passed over */
  readonly isRenewed?: boolean;
  readonly untilMs: number;
}

/** Ends that must be told to Redis, and are told again where it was out of reach, until they matter no more. */
export class UntoldEndings {
  readonly #clock: Clock;
  readonly #tell: (ending: UntoldEnding) => Promise<void>;
  readonly #endings = new Set<UntoldEnding>();

  /** `tell` rejects where Redis could not be told, and fulfils where it refuses this one for good. */
  constructor(clock: Clock, tell: (ending: UntoldEnding) => Promise<void>) {
    this.#clock = clock;
    this.#tell = tell;
  }

  get size(): number {
    return this.#endings.size;
  }

  /** Gives whether Redis was told. Where not, it is remembered for `rememberMs`, which may be 0. */
  async tell(ending: Omit<UntoldEnding, "untilMs">, rememberMs: number): Promise<boolean> {
    const untold = { ...ending, untilMs: this.#clock.now() + rememberMs };
    this.#endings.add(untold);
    if (this.#endings.size > MOST_REMEMBERED) this.#forgetOldest();
    return this.#try(untold);
  }

  /**
   * Tells the oldest again, up to `most` of them; gives whether those were all, and Redis was told of each. One that fails
   * keeps none of its batch from being told; the batches after it are left, since Redis is likely to be out of reach.
   */
  async tellAgain(most: number = MOST_AT_ONCE): Promise<boolean> {
    const now = this.#clock.now();
    for (const ending of this.#endings) if (ending.untilMs <= now) this.#endings.delete(ending);
    const untold = [...this.#endings];
    for (let at = 0; at < Math.min(untold.length, most); at += BATCH) {
      const told = await Promise.all(untold.slice(at, at + BATCH).map((ending) => this.#try(ending)));
      if (told.includes(false)) return false;
    }
    return untold.length <= most;
  }

  forget(): void {
    this.#endings.clear();
  }

  #forgetOldest(): void {
    for (const oldest of this.#endings) {
      this.#endings.delete(oldest);
      return;
    }
  }

  async #try(ending: UntoldEnding): Promise<boolean> {
    try {
      await this.#tell(ending);
    } catch {
      if (ending.untilMs <= this.#clock.now()) this.#endings.delete(ending);
      return false;
    }
    this.#endings.delete(ending);
    return true;
  }
}
