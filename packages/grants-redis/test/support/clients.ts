import { Redis, type RedisOptions } from "ioredis";
import { onTestFinished } from "vitest";

/** A client of a server on loopback, ended when the test has ended. Lost connections are no news. */
export function clientOf({ port }: { port: number }, options: RedisOptions = {}): Redis {
  const redis = quietClient(port, options);
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** The same, to be ended by the caller. */
export function quietClient(port: number, options: RedisOptions = {}): Redis {
  const redis = new Redis({ ...options, port, replyMapping: "legacy" });
  redis.on("error", () => {});
  return redis;
}
