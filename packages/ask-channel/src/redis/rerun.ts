/** Runs a task one at a time. Wanted while it runs, it runs once more afterwards, so that nothing that came in between is missed. */
export class Rerun {
  readonly #task: () => Promise<void>;
  #isRunning = false;
  #isWanted = false;

  /** `task` must not reject. */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Fulfils when it has run, or at once where it runs already. */
  async want(): Promise<void> {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#task();
    }
    this.#isRunning = false;
  }
}
