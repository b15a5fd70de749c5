import {
  type Clock,
  isolatedReport,
  type OnReport,
  PermissionGateError,
  systemClock,
} from "@x/permission-core";
import { requirePrefix, requireUsable } from "@x/redis-scripts";
import type { Cluster, Redis } from "ioredis";
import { type ChannelNames, channelNames } from "./keys.js";
import { Signer } from "./signer.js";

/** Both sides of a channel take the same options. They meet where server, database, prefix and the client's `keyPrefix` are equal. */
export interface RedisChannelOptions {
  /**
   * Runs the scripts; stays the caller's, who closes it after the channel. Subscriptions use connections of their own, made
   * from it. The database that it is in when the side is made counts, and must not change afterwards. Best name it in the
   * client's options (`db`): once it was changed by `select`, ioredis sends what it queued during a reconnect to that of the options.
   * No transaction may be opened on it but in one piece (`multi` with its pipeline).
   */
  redis: Redis | Cluster;
  /** Default `permission-gate:asks`. Channels of different prefixes never meet. 1 to 200 characters, no braces. */
  prefix?: string;
  /**
   * Signs asks and answers, for a Redis that others can write to: what is not signed by one of these is passed over and
   * reported. With several, the first signs and all are accepted. 16 bytes or more each. Left out: nothing is signed; given
   * as undefined, it is refused.
   */
  secret?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** Asking side: refuse an ask at once (`ask_unavailable`) where no approver is there. Default false. */
  requireApprover?: boolean;
  /** Within how many ms Redis must have answered. Default 5,000. */
  timeoutMs?: number;
  /** After how many ms without a sign of life a waiting process counts as gone. The same for all of them. Default 10,000. */
  leaseMs?: number;
  /** After how many ms without a sign of life an approver counts as gone. Default 15,000. */
  presenceMs?: number;
  /** How many ms an ask without a deadline outlives its process, so that another can go on; `leaseMs` at least. Default 600,000. */
  keepMs?: number;
  /** How many ms a late answer is told how its ask ended. Default 600,000. */
  endingsMs?: number;
  /** How many ms a claim stays on record whose call never told its end. Default 7 days. */
  claimMs?: number;
  /** Default: the host's clock. Deadlines of asks, leases and presence go by it. */
  clock?: Clock;
  /** Told of what is passed over, and of outages, once each. Default `console.warn`. */
  onReport?: OnReport;
}

/** The options as the two sides use them. */
export interface ChannelSettings {
  readonly redis: Redis | Cluster;
  readonly names: ChannelNames;
  readonly signer: Signer;
  readonly requireApprover: boolean;
  readonly times: ChannelTimes;
  readonly clock: Clock;
  readonly report: OnReport;
}

interface ChannelTimes {
  readonly timeoutMs: number;
  readonly leaseMs: number;
  readonly presenceMs: number;
  readonly keepMs: number;
  readonly endingsMs: number;
  readonly claimMs: number;
}

const DEFAULT_PREFIX = "permission-gate:asks";

const DEFAULT_TIMES: ChannelTimes = {
  timeoutMs: 5_000,
  leaseMs: 10_000,
  presenceMs: 15_000,
  keepMs: 600_000,
  endingsMs: 600_000,
  claimMs: 7 * 86_400_000,
};

/** Throws code `invalid_option` for what cannot be used. */
export function readOptions(options: RedisChannelOptions): ChannelSettings {
  requireUsable(options?.redis, "`redis`, one of the options");
  const { redis, prefix = DEFAULT_PREFIX, onReport } = options;
  const names = channelNames(redis, requirePrefix(prefix, redis));
  return {
    redis,
    names,
    signer: new Signer(names.base, readSecrets(options)),
    requireApprover: options.requireApprover ?? false,
    times: readTimes(options),
    clock: options.clock ?? systemClock,
    report: isolatedReport(onReport),
  };
}

/** A secret that was meant, and is not there, must not come to signing nothing: an environment variable that is unset. */
function readSecrets(options: RedisChannelOptions): readonly (string | Uint8Array)[] {
  const { secret } = options;
  if (secret === undefined && !("secret" in options)) return [];
  if (typeof secret === "string" || secret instanceof Uint8Array) return [secret];
  // An empty list would sign nothing, which nobody means who speaks of secrets.
  if (Array.isArray(secret) && secret.length > 0) return secret;
  throw new PermissionGateError(
    "invalid_option",
    "secret must be a text, bytes, or a list of one or more of these; leave it out to sign nothing.",
  );
}

function readTimes(options: RedisChannelOptions): ChannelTimes {
  const times: { -readonly [Name in keyof ChannelTimes]: number } = { ...DEFAULT_TIMES };
  for (const name of Object.keys(DEFAULT_TIMES) as (keyof ChannelTimes)[]) {
    const ms = options[name] ?? DEFAULT_TIMES[name];
    if (!Number.isInteger(ms) || ms < 1 || ms > 2 ** 31 - 1) {
      throw new PermissionGateError("invalid_option", `${name} must be whole milliseconds, 1 to 2147483647.`);
    }
    times[name] = ms;
  }
  // What waits is seen to three times in each lease.
  times.keepMs = Math.max(times.keepMs, times.leaseMs);
  return times;
}
