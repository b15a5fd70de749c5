import { type Clock, systemClock } from "@x/permission-core";
import type { CallbackStore, CallbackUse } from "./callback-store.js";

interface Entry {
  /** null once it was used */
  readonly owner: string | null;
  readonly text: string;
  readonly untilMs: number;
}

const FEWEST_BEFORE_SWEEP = 1_000;

/** A {@link CallbackStore} of one process. It sets no timers: what is over is dropped as more comes. */
export class MemoryCallbackStore implements CallbackStore {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #sweepAt = FEWEST_BEFORE_SWEEP;

  constructor(options: { /** default: the host's clock */ clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock;
  }

  /** How many keys it holds, those that are over and not yet dropped too. */
  get size(): number {
    return this.#entries.size;
  }

  begin(key: string, { owner, leaseMs }: { owner: string; leaseMs: number }): CallbackUse {
    const entry = this.#live(key);
    if (entry?.owner === null) return { kind: "done", text: entry.text };
    if (entry !== undefined && entry.owner !== owner) return { kind: "busy" };
    this.#set(key, { owner, text: "", untilMs: this.#clock.now() + leaseMs });
    return { kind: "begun" };
  }

  finish(key: string, { owner, text, keepMs }: { owner: string; text: string; keepMs: number }): void {
    const entry = this.#live(key);
    if (entry !== undefined && entry.owner !== owner) return;
    this.#set(key, { owner: null, text, untilMs: this.#clock.now() + keepMs });
  }

  release(key: string, { owner }: { owner: string }): void {
    if (this.#live(key)?.owner === owner) this.#entries.delete(key);
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.untilMs > this.#clock.now() ? entry : undefined;
  }

  #set(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    if (this.#entries.size < this.#sweepAt) return;
    const nowMs = this.#clock.now();
    for (const [held, { untilMs }] of this.#entries) if (untilMs <= nowMs) this.#entries.delete(held);
    this.#sweepAt = Math.max(this.#entries.size * 2, FEWEST_BEFORE_SWEEP);
  }
}
