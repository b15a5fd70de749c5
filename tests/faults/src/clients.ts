import { Redis, type RedisOptions } from "ioredis";
import { removeProtection } from "./protections.js";
import type { SideOptions } from "./protocol.js";

/**
 * The client of one process, as a host makes it. Connections that listen, which are made from it, go to a port of their own;
 * `onReconnecting` is called each time that one is to be made again.
 */
export function connect(options: SideOptions, onReconnecting: () => void = () => {}): Redis {
  const { port, listenPort = port, client, without, seam } = options;
  const redis = new Redis({ host: "127.0.0.1", port, ...client });
  // Every outage is told by the channel itself.
  redis.on("error", () => {});
  const duplicate = redis.duplicate.bind(redis);
  Object.assign(redis, {
    duplicate: (override: Partial<RedisOptions>) => {
      const patience = seam === "gives-up" ? { retryStrategy: giveUpAfterThree } : {};
      const autoResubscribe = seam === "listens-once";
      const own = duplicate({ ...override, ...patience, autoResubscribe, port: listenPort });
      own.on("reconnecting", onReconnecting);
      if (seam === "listens-once") listenOnce(own);
      return own;
    },
  });
  if (without !== undefined) removeProtection(redis, without);
  return redis;
}

function giveUpAfterThree(attempt: number): number | null {
  return attempt > 3 ? null : 50;
}

type Listener = ((...args: unknown[]) => void) & { listener?: Listener };

/** Whoever listens for `ready` hears of the first time only; that messages are heard again is left to the client. */
function listenOnce(connection: Redis): void {
  const on = connection.on.bind(connection);
  Object.assign(connection, {
    on: (name: string, listener: Listener) => {
      let times = 0;
      const first = (...args: unknown[]) => {
        times += 1;
        if (times === 1) listener(...args);
      };
      // It is found by the listener that it stands for when that is removed.
      Object.assign(first, { listener: listener.listener ?? listener });
      return on(name, name === "ready" ? first : listener);
    },
  });
}
