/** How many items one run takes: so that no script holds up Redis for more than about a millisecond. */
const LARGEST = 64;

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
    });
  }

  #flush(): void {
    const entries = this.#entries;
    this.#entries = [];
    for (let at = 0; at < entries.length; at += LARGEST) void this.#settle(entries.slice(at, at + LARGEST));
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
