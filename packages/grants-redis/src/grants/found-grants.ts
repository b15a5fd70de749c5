import type { PlacedEntry } from "./ledger-record.js";

/** Look-ups that are kept at once. */
const MOST_KEPT = 1_000;

interface Kept {
  readonly entries: readonly PlacedEntry[];
  /** by `performance.now()`: the moment before which they were asked for, and `cacheMs` */
  readonly untilMs: number;
}

/** What look-ups gave, each kept until anything changes, and never longer than `cacheMs` from when it was asked for. */
export class FoundGrants {
  readonly #cacheMs: number;
  readonly #mayKeep: () => boolean;
  readonly #kept = new Map<string, Kept>();
  #changes = 0;

  /** `mayKeep`: whether changes are heard of now. While they are not, nothing is kept. */
  constructor(cacheMs: number, mayKeep: () => boolean) {
    this.#cacheMs = cacheMs;
    this.#mayKeep = mayKeep;
  }

  /** To be called at every change, and wherever one may have been missed. */
  drop(): void {
    this.#changes += 1;
    this.#kept.clear();
  }

  async get(key: string, look: () => Promise<readonly PlacedEntry[]>): Promise<readonly PlacedEntry[]> {
    const askedMs = performance.now();
    const kept = this.#kept.get(key);
    if (kept !== undefined && askedMs < kept.untilMs) return kept.entries;
    const changes = this.#changes;
    const entries = await look();
    // What changed on the way may have come too late for what was read.
    if (changes === this.#changes && this.#mayKeep())
      this.#keep(key, { entries, untilMs: askedMs + this.#cacheMs });
    return entries;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, kept);
  }
}
