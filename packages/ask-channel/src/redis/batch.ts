/** How many items one run takes: so few that Redis and this process are at work at the same time when there are many. */
const LARGEST = 16;

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs what is wanted within one turn of the loop together. */
export class Batch<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  #entries: Entry<Item, Result>[] = [];

  /** `run` gives one result for each item, in their order; where it rejects, all of them do. */
  constructor(run: (items: Item[]) => Promise<Result[]>) {
    this.#run = run;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      // After the promises of this turn, which may want more, and before the loop goes on.
      if (this.#entries.length === 0) process.nextTick(() => this.#flush());
      this.#entries.push({ item, resolve, reject });
      // Redis is at work while the rest is still being added.
      if (this.#entries.length === LARGEST) this.#flush();
    });
  }

  #flush(): void {
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    this.#entries = [];
    void this.#settle(entries);
  }

  async #settle(entries: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(entries.map(({ item }) => item));
      entries.forEach(({ resolve }, at) => {
        resolve(results[at] as Result);
      });
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }
}
