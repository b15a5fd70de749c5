/** Lets work under one key run one after the other, in the order in which it was handed in; keys do not wait for each other. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether any work under `key` runs or waits. */
  isTaken(key: string): boolean {
    return this.#last.has(key);
  }

  /**
   * Runs `work` when all earlier work under `key` has ended, well or badly. It is told when it was handed in, by
   * `performance.now()`.
   */
  async take<Result>(key: string, work: (askedMs: number) => Promise<Result>): Promise<Result> {
    const askedMs = performance.now();
    const result = (this.#last.get(key) ?? Promise.resolve()).then(() => work(askedMs));
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
