interface Entry<T> {
  readonly value: T;
  previous: Entry<T> | null;
  next: Entry<T> | null;
  queued: boolean;
}

/** The handle of one place in a {@link Fifo}. */
export type FifoEntry<T> = Readonly<Pick<Entry<T>, "value">>;

/** First in, first out, and an entry may leave from anywhere. Every operation takes constant time. */
export class Fifo<T> {
  #head: Entry<T> | null = null;
  #tail: Entry<T> | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(value: T): FifoEntry<T> {
    const entry: Entry<T> = { value, previous: this.#tail, next: null, queued: true };
    if (this.#tail === null) this.#head = entry;
    else this.#tail.next = entry;
    this.#tail = entry;
    this.#size += 1;
    return entry;
  }

  /** Takes the oldest; undefined when there is none. */
  shift(): T | undefined {
    const entry = this.#head;
    if (entry === null) return undefined;
    this.remove(entry);
    return entry.value;
  }

  /** Takes this one, wherever it stands. Nothing happens when it has left already. */
  remove(handle: FifoEntry<T>): void {
    const entry = handle as Entry<T>;
    if (!entry.queued) return;
    entry.queued = false;
    if (entry.previous === null) this.#head = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next === null) this.#tail = entry.previous;
    else entry.next.previous = entry.previous;
    entry.previous = null;
    entry.next = null;
    this.#size -= 1;
  }
}
