import type { Readable } from "node:stream";
import { onAbort } from "@x/permission-core";
import { Fifo } from "../fifo.js";

/** Lets one at a time pass, in order. */
export class Turns {
  #taken = false;
  readonly #next = new Fifo<() => void>();

  /** Gives the function that ends the turn. Rejects with `signal.reason`, and leaves the queue, when that aborts first. */
  take(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve(() => this.#pass());
    }
    return new Promise((resolve, reject) => {
      const place = this.#next.push(() => {
        unsubscribe();
        resolve(() => this.#pass());
      });
      const unsubscribe = onAbort(signal, () => {
        this.#next.remove(place);
        reject(signal.reason);
      });
    });
  }

  #pass(): void {
    const next = this.#next.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}

const turns = new WeakMap<Readable, Turns>();

/** The turns at one terminal: resolvers made over the same input share them, so their prompts never mix. */
export function turnsAt(input: Readable): Turns {
  const known = turns.get(input);
  if (known !== undefined) return known;
  const fresh = new Turns();
  turns.set(input, fresh);
  return fresh;
}
