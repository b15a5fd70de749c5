import { lastingDuplicate, type RedisClient } from "@x/redis-scripts";

/**
 * Hears of changes on a connection of its own. `onChange` is also called whenever changes may have been missed: when the
 * connection was lost, and when it is back.
 */
export class ChangeListener {
  readonly #channel: string;
  readonly #onChange: () => void;
  readonly #connection: RedisClient;
  #isListening = false;

  /** Errors of the connection are no news: it tries again for ever, and what it misses meanwhile is not relied upon. */
  constructor(redis: RedisClient, channel: string, onChange: () => void) {
    this.#channel = channel;
    this.#onChange = onChange;
    this.#connection = lastingDuplicate(redis, () => {});
    this.#connection.on("ready", () => void this.#subscribe());
    this.#connection.on("close", () => this.#lost());
    this.#connection.on("message", (heardOn: string) => {
      if (heardOn === channel) onChange();
    });
    this.#connection.connect().catch(() => {});
  }

  /** Whether changes are heard of at this moment, as far as can be known here. */
  get isListening(): boolean {
    return this.#isListening;
  }

  close(): void {
    this.#lost();
    this.#connection.disconnect();
  }

  async #subscribe(): Promise<void> {
    try {
      await this.#connection.subscribe(this.#channel);
    } catch {
      // The connection was lost again, or may not subscribe: then changes are not heard of.
      return;
    }
    if (this.#connection.status !== "ready") return;
    this.#isListening = true;
    this.#onChange();
  }

  #lost(): void {
    this.#isListening = false;
    this.#onChange();
  }
}
