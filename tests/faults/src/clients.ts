import { Redis, type RedisOptions } from "ioredis";
import { removeProtection } from "./protections.js";
import type { SideOptions } from "./protocol.js";

/**
 * The client of one process, as a host makes it. Connections that listen, which are made from it, go to a port of their own,
 * and tell when they are lost; `listensOnce` has them forget to say that they listen again.
 */
export function connect(
  options: SideOptions,
  seams: { onReconnecting?: () => void; listensOnce?: boolean; givesUp?: boolean } = {},
): Redis {
  const { port, listenPort = port, client, without } = options;
  const redis = new Redis({ host: "127.0.0.1", port, ...client });
  // Every outage is told by the channel itself.
  redis.on("error", () => {});
  const duplicate = redis.duplicate.bind(redis);
  Object.assign(redis, {
    duplicate: (override: Partial<RedisOptions>) => {
      const patience = seams.givesUp ? { retryStrategy: giveUpAfterThree } : {};
      const own = duplicate({ ...override, ...patience, port: listenPort });
      if (seams.onReconnecting !== undefined) own.on("reconnecting", seams.onReconnecting);
      if (seams.listensOnce) listenOnce(own);
      return own;
    },
  });
  if (without !== undefined) removeProtection(redis, without);
  return redis;
}

function giveUpAfterThree(attempt: number): number | null {
  return attempt > 3 ? null : 50;
}

/** Whoever listens for `ready` hears of the first time only. */
function listenOnce(connection: Redis): void {
  const on = connection.on.bind(connection);
  Object.assign(connection, {
    on: (name: string, listener: (...args: unknown[]) => void) =>
      name === "ready" ? connection.once("ready", listener) : on(name, listener),
  });
}
