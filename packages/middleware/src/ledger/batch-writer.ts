/**
 * Writes lines in the order in which they come, one batch at a time: what comes while a batch is being written makes up
 * the next one. A batch that fails is lost, and the next is tried all the same.
 */
export class BatchWriter {
  readonly #write: (lines: readonly string[]) => Promise<void>;
  /** settles, and never rejects, when the batch before the open one has ended */
  #previous: Promise<void> = Promise.resolve();
  #open: { lines: string[]; written: Promise<void> } | null = null;
  /** batches that have not ended */
  readonly #pending = new Set<Promise<void>>();

  constructor(write: (lines: readonly string[]) => Promise<void>) {
    this.#write = write;
  }

  /** Settles as the write of the line's batch does. A rejection that nobody handles is nobody's crash. */
  append(line: string): Promise<void> {
    this.#open ??= this.#begin();
    this.#open.lines.push(line);
    return this.#open.written;
  }

  /** Resolves once every line so far is written; rejects with the first failure among them. */
  async flush(): Promise<void> {
    for (const outcome of await Promise.allSettled([...this.#pending])) {
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }

  #begin(): { lines: string[]; written: Promise<void> } {
    const lines: string[] = [];
    const written = this.#previous.then(() => {
      this.#open = null;
      return this.#write(lines);
    });
    this.#pending.add(written);
    const ended = () => void this.#pending.delete(written);
    this.#previous = written.then(ended, ended);
    return { lines, written };
  }
}
