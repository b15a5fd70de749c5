/** Lines that are written together. */
interface Batch {
  readonly lines: string[];
  length: number;
  readonly written: Promise<void>;
}

/**
 * Writes lines in the order in which they come, one batch at a time: what comes while a batch is being written makes up
 * the next one. A batch that fails is lost, and the next is tried all the same.
 */
export class BatchWriter {
  readonly #write: (lines: readonly string[]) => Promise<void>;
  /** settles, and never rejects, when the batch before the open one has ended */
  #previous: Promise<void> = Promise.resolve();
  #open: Batch | null = null;
  /** of batches that have not ended */
  readonly #pending = new Set<Promise<void>>();
  #waiting = 0;

  constructor(write: (lines: readonly string[]) => Promise<void>) {
    this.#write = write;
  }

  /** How many characters wait to be written, or are being written. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Settles as the write of the line's batch does. A rejection that nobody handles is nobody's crash. */
  append(line: string): Promise<void> {
    const batch = this.#openBatch();
    batch.lines.push(line);
    batch.length += line.length;
    this.#waiting += line.length;
    return batch.written;
  }

  /** Has a write made, of no lines where none come. Settles as it does. */
  attempt(): Promise<void> {
    return this.#openBatch().written;
  }

  /** Resolves once every line so far is written; rejects with the first failure among them. */
  async flush(): Promise<void> {
    for (const outcome of await Promise.allSettled([...this.#pending])) {
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }

  #openBatch(): Batch {
    if (this.#open !== null) return this.#open;
    const lines: string[] = [];
    const written = this.#previous.then(() => {
      this.#open = null;
      return this.#write(lines);
    });
    const batch = { lines, length: 0, written };
    const ended = () => {
      this.#waiting -= batch.length;
      this.#pending.delete(written);
    };
    this.#pending.add(written);
    this.#previous = written.then(ended, ended);
    this.#open = batch;
    return batch;
  }
}
