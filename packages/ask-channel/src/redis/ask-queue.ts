import { onAbort, type PendingAsk } from "@x/permission-core";
import { copyAsk } from "../copy-ask.js";
import { Fifo, type FifoEntry } from "../fifo.js";

/** An ask that an approver was told of, and which is not known to have ended. */
export interface KnownAsk {
  readonly ask: PendingAsk;
  /** as it stands in Redis */
  readonly stored: string;
  /** its place among those that nobody has read */
  place: FifoEntry<KnownAsk> | null;
}

interface Reader {
  deliver(ask: PendingAsk | null): void;
  fail(error: unknown): void;
}

/** What one approver knows of the asks that wait, and which of them were read. */
export class AskQueue {
  readonly #known = new Map<string, KnownAsk>();
  readonly #unread = new Fifo<KnownAsk>();
  readonly #readers = new Fifo<Reader>();
  #isLive = false;
  #isClosed = false;

  /** Of asks that wait: those known, of those the ones that nobody read, and calls of `nextPending` that wait. */
  load(): { known: number; unread: number; readers: number } {
    return { known: this.#known.size, unread: this.#unread.size, readers: this.#readers.size };
  }

  /** Those that are known now. */
  all(): KnownAsk[] {
    return [...this.#known.values()];
  }

  /** Undefined where it is not known. */
  of(id: string): KnownAsk | undefined {
    return this.#known.get(id);
  }

  /**
   * An ask that waits, of which `stored` is what stands in Redis. One that is known already stays as it is; `isRead`: unless
   * it was read there with another content.
   */
  add(ask: PendingAsk, stored: string, isRead: boolean): void {
    const earlier = this.#known.get(ask.id);
    if (earlier !== undefined && !isRead) return;
    if (earlier?.stored === stored) return;
    if (earlier !== undefined) this.forget(earlier);
    const known: KnownAsk = { ask, stored, place: null };
    this.#known.set(ask.id, known);
    known.place = this.#unread.push(known);
    if (this.#isLive) this.#serve();
  }

  /** What is unread may have ended: readers wait until it is known again. */
  pause(): void {
    this.#isLive = false;
  }

  /** What is unread is what waits now: from here on readers are served. */
  goLive(): void {
    this.#isLive = true;
    this.#serve();
  }

  /** It has ended. Another one that has its id since then is kept. */
  forget(known: KnownAsk): void {
    if (this.#known.get(known.ask.id) !== known) return;
    this.#known.delete(known.ask.id);
    if (known.place !== null) this.#unread.remove(known.place);
  }

  /** Rejects with `signal.reason` when that aborts. Null once closed. */
  next(signal: AbortSignal | undefined): Promise<PendingAsk | null> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      let unsubscribe = () => {};
      const place = this.#readers.push({
        deliver(ask) {
          unsubscribe();
          resolve(ask);
        },
        fail(error) {
          unsubscribe();
          reject(error);
        },
      });
      if (signal !== undefined) {
        unsubscribe = onAbort(signal, () => {
          this.#readers.remove(place);
          reject(signal.reason);
        });
      }
      if (this.#isLive) this.#serve();
    });
  }

  /** There is nothing to wait for: readers reject with `error`. */
  fail(error: unknown): void {
    for (let reader = this.#readers.shift(); reader !== undefined; reader = this.#readers.shift())
      reader.fail(error);
  }

  close(): void {
    this.#isClosed = true;
    for (const known of this.all()) this.forget(known);
    for (let reader = this.#readers.shift(); reader !== undefined; reader = this.#readers.shift())
      reader.deliver(null);
  }

  #serve(): void {
    while (this.#readers.size > 0) {
      const known = this.#unread.shift();
      if (known === undefined) return;
      known.place = null;
      this.#readers.shift()?.deliver(copyAsk(known.ask));
    }
  }
}
