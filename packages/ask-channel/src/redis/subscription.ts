import { lastingDuplicate, type RedisClient } from "@x/redis-scripts";
import type { ChannelSettings } from "./options.js";
import { Outage } from "./outage.js";

/**
 * Listens to one channel of Redis on a connection of its own, made when it is first wanted, and made again for ever when it
 * is lost. What was published meanwhile is lost too: `onReady` is called each time that it listens again, to read anew;
 * `onLost` when it no longer listens.
 */
export class Subscription {
  readonly #settings: ChannelSettings;
  readonly #channel: string;
  readonly #onMessage: (message: string) => void;
  readonly #onReady: () => void;
  readonly #onLost: () => void;
  readonly #outage: Outage;
  #connection: RedisClient | null = null;

  /** `name`: of the channel, after the base. */
  constructor(
    settings: ChannelSettings,
    name: string,
    handlers: { onMessage: (message: string) => void; onReady: () => void; onLost?: () => void },
  ) {
    this.#settings = settings;
    this.#channel = settings.names.base + name;
    this.#onMessage = handlers.onMessage;
    this.#onReady = handlers.onReady;
    this.#onLost = handlers.onLost ?? (() => {});
    this.#outage = new Outage(
      settings.report,
      "ask channel: the connection that listens is lost; trying again",
    );
  }

  /** Does nothing where it is open already. */
  open(): void {
    if (this.#connection !== null) return;
    const connection = lastingDuplicate(this.#settings.redis, (error) => this.#outage.failed(error));
    this.#connection = connection;
    connection.on("message", (channel: string, message: string) => {
      if (channel === this.#channel && this.#connection === connection) this.#onMessage(message);
    });
    const listen = () => {
      connection.subscribe(this.#channel).then(
        () => {
          if (this.#connection !== connection) return;
          this.#outage.worked();
          this.#onReady();
        },
        (error: unknown) => {
          if (this.#connection === connection) this.#outage.failed(error);
        },
      );
    };
    // Only a subscription that was confirmed on this connection misses nothing from then on.
    connection.on("ready", listen);
    connection.on("close", () => {
      if (this.#connection === connection) this.#onLost();
    });
    connection.connect().catch(() => {
      // It was told to the listener of errors, and goes on trying.
    });
  }

  /** It can be opened again. */
  close(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.disconnect();
  }
}
