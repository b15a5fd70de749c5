import { PermissionGateError } from "@x/permission-core";
import type { Cluster, Redis } from "ioredis";
import { withoutCommand } from "./client-error.js";

/** A client of one server, of a Sentinel's master, or of a Cluster. */
export type RedisClient = Redis | Cluster;

/**
 * What a connection needs that must outlive its server: it tries again for ever. Whoever has it subscribes each time that it
 * is ready: what ioredis subscribes to anew by itself rejects, heard by nobody, where the connection is ended meanwhile.
 */
const LASTING = {
  maxRetriesPerRequest: null,
  enableOfflineQueue: true,
  autoResubscribe: false,
  enableAutoPipelining: false,
  lazyConnect: true,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 1000),
} as const;

/**
 * A connection of our own, made from `redis` and its options, for subscribing. It connects with its first command. Errors of
 * the connection go to `onError`; without a listener they would be printed. Whoever made it ends it with `disconnect()`.
 */
export function lastingDuplicate(redis: RedisClient, onError: (error: unknown) => void): RedisClient {
  const own = isCluster(redis) ? lastingCluster(redis) : redis.duplicate(LASTING);
  own.on("error", (error: unknown) => onError(withoutCommand(error)));
  return own;
}

function lastingCluster(redis: Cluster): Cluster {
  const { enableOfflineQueue, enableAutoPipelining, lazyConnect, retryStrategy, ...ofNode } = LASTING;
  const { replyMapping = "legacy", ...options } = redis.options.redisOptions ?? {};
  return redis.duplicate([], {
    enableOfflineQueue,
    enableAutoPipelining,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    redisOptions: { ...options, replyMapping, ...ofNode },
  });
}

/**
 * Throws code `invalid_option` for what is no client of ioredis, and for a client that cannot run commands: one that
 * subscribed, monitors, or was closed. `place`: where it is to be given.
 */
export function requireUsable(redis: RedisClient, place = "the first argument"): void {
  if (!isClient(redis)) {
    throw new PermissionGateError(
      "invalid_option",
      `Give a client of ioredis, Redis or Cluster, as ${place}.`,
    );
  }
  const how = whyUnusable(redis);
  if (how === null) return;
  throw new PermissionGateError(
    "invalid_option",
    `The Redis client ${how}: give one that commands can be sent on.`,
  );
}

/** The prefix that the client puts before every key, but not before the name of a channel. Empty where it has none. */
export function clientKeyPrefix(redis: RedisClient): string {
  return redis.options.keyPrefix ?? "";
}

/** Half a character has no bytes, so texts with one do not come back from Redis as they were. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/**
 * The prefix of all keys, as it was given. Throws code `invalid_option` where it is no text of 1 to 200 characters, or has
 * a brace: keys of one thing share the text in braces, by which a Cluster places them together. Half a character has no
 * bytes: prefixes with different halves would be one.
 */
export function requirePrefix(prefix: string, redis: RedisClient): string {
  if (typeof prefix !== "string" || prefix === "" || prefix.length > 200) {
    throw new PermissionGateError("invalid_option", "prefix must be a text of 1 to 200 characters.");
  }
  const whole = clientKeyPrefix(redis) + prefix;
  if (!isWellFormed(whole)) {
    throw new PermissionGateError(
      "invalid_option",
      "prefix, and the client's keyPrefix, must be well-formed text, without lone surrogates.",
    );
  }
  if (/[{}]/.test(whole)) {
    throw new PermissionGateError(
      "invalid_option",
      "prefix, and the client's keyPrefix, must have no braces.",
    );
  }
  return prefix;
}

/** In plain JavaScript, anything may have been given. */
function isClient(redis: RedisClient | null | undefined): boolean {
  return typeof redis?.evalsha === "function" && typeof redis.duplicate === "function";
}

function whyUnusable(redis: RedisClient): string | null {
  if (redis.status === "end") return "was closed";
  if (isCluster(redis)) return null;
  if (redis.condition?.subscriber) return "has subscribed to channels";
  return redis.mode === "monitor" ? "is monitoring" : null;
}

/** Whether `redis` is a client of a Cluster. */
export function isCluster(redis: RedisClient): redis is Cluster {
  return redis.isCluster;
}
