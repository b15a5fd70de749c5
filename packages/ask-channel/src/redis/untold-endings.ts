import type { Clock } from "@x/permission-core";

/** The end of an ask or of a claim that Redis has not heard of yet. */
export interface UntoldEnding {
  readonly id: string;
  /** the wait, or `<worker>/` for whichever it was of that worker */
  readonly wait: string;
  readonly status: string;
  readonly untilMs: number;
}

/** Ends that must be told to Redis, and are told again where that failed, until they matter no more. */
export class UntoldEndings {
  readonly #clock: Clock;
  readonly #tell: (ending: UntoldEnding) => Promise<void>;
  readonly #endings = new Set<UntoldEnding>();

  /** `tell` rejects where Redis could not be told. */
  constructor(clock: Clock, tell: (ending: UntoldEnding) => Promise<void>) {
    this.#clock = clock;
    this.#tell = tell;
  }

  get size(): number {
    return this.#endings.size;
  }

  /** Gives whether Redis was told. Where not, it is remembered for `rememberMs`. */
  async tell(ending: Omit<UntoldEnding, "untilMs">, rememberMs: number): Promise<boolean> {
    const untold = { ...ending, untilMs: this.#clock.now() + rememberMs };
    this.#endings.add(untold);
    return this.#try(untold);
  }

  /** Tells all again; gives whether Redis was told of each. Stops at the first that fails. */
  async tellAgain(): Promise<boolean> {
    for (const ending of [...this.#endings]) {
      if (ending.untilMs <= this.#clock.now()) this.#endings.delete(ending);
      else if (!(await this.#try(ending))) return false;
    }
    return true;
  }

  forget(): void {
    this.#endings.clear();
  }

  async #try(ending: UntoldEnding): Promise<boolean> {
    try {
      await this.#tell(ending);
    } catch {
      return false;
    }
    this.#endings.delete(ending);
    return true;
  }
}
