import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";

export interface RunRedis {
  url: string;
  redis: Redis;
  /** whose it is, and where, without a password */
  title: string;
  close(): Promise<void>;
}

/** Says what is missing; the program then ends with code 2. */
export class NoRedis extends Error {}

/** A client whose server has gone holds its process for so long when it is closed: 2 s by default. */
export const CLIENT_OPTIONS: { disconnectTimeout: number } = { disconnectTimeout: 200 };

/** The Redis at `url`; without one, a server that lives as long as the run. Throws `NoRedis`. */
export async function openRedis(url: string | undefined): Promise<RunRedis> {
  if (url !== undefined && url !== "") {
    const redis = await connectTo(url);
    return { url, redis, title: `${placeOf(url)}, by REDIS_URL`, close: async () => redis.disconnect() };
  }
  const server = await RedisProcess.start().catch((error: Error) => {
    throw new NoRedis(`${error.message} Or set REDIS_URL, or take --local.`);
  });
  const redis = await connectTo(server.url);
  const close = async () => {
    redis.disconnect();
    await server.close();
  };
  return { url: server.url, redis, title: `${placeOf(server.url)}, started for this run`, close };
}

/** How Redis answers a user whom it does not know, or who may not do this. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM)\b/;

/** Tries once: who starts a program wants to hear at once that its Redis is not there. */
async function connectTo(url: string): Promise<Redis> {
  const once = { lazyConnect: true, connectTimeout: 3_000, retryStrategy: () => null };
  const redis = new Redis(url, { ...CLIENT_OPTIONS, ...once });
  let why: Error | null = null;
  redis.on("error", (error: Error) => {
    why ??= error;
  });
  try {
    await redis.connect();
    // Grants and asks are kept by scripts.
    await redis.eval("return 1", 0);
    return redis;
  } catch (error) {
    redis.disconnect();
    const cause = why ?? error;
    const told = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
    // A server that does not know a command repeats what came with it, such as a password.
    const reason = told.replace(/, with args.*/s, "");
    const advice = REFUSED.test(reason) ? "see what user REDIS_URL names, by what password" : "start it";
    throw new NoRedis(
      `Redis at ${placeOf(url)} cannot be used (${reason}): ${advice}, or unset REDIS_URL for one of this run's own, or take --local.`,
    );
  }
}

function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the place that REDIS_URL names";
}
