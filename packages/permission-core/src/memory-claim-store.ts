import { type Clock, systemClock } from "./clock.js";
import type { ClaimStore } from "./grant.js";
import { requireClaim } from "./require-claim.js";

/** Claims up to which expired ones are left lying. */
const FEW = 64;

/** Claims for as long as the process lives: single use within one process. */
export class MemoryClaimStore implements ClaimStore {
  readonly #clock: Clock;
  /** Unix ms until which a key is claimed */
  readonly #until = new Map<string, number>();
  #sweepAt = FEW;

  /** `clock` says when a claim ends. Default the system's. */
  constructor({ clock = systemClock }: { clock?: Clock } = {}) {
    this.#clock = clock;
  }

  /** True for the first claim of `key`, and again `ttlMs` milliseconds after one that was true. `invalid_option`: see `ClaimStore`. */
  async claim(key: string, options: { ttlMs: number }): Promise<boolean> {
    const ttlMs = requireClaim(key, options);
    const now = this.#clock.now();
    const until = this.#until.get(key);
    if (until !== undefined && now < until) return false;
    if (this.#until.size >= this.#sweepAt) this.#sweep(now);
    this.#until.set(key, now + ttlMs);
    return true;
  }

  /** Each time as many again were claimed as were left, so that a claim takes the same time on average. */
  #sweep(now: number): void {
    for (const [key, until] of this.#until) if (now >= until) this.#until.delete(key);
    this.#sweepAt = Math.max(FEW, 2 * this.#until.size);
  }
}
