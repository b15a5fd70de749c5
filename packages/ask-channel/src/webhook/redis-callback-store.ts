import { PermissionGateError } from "@x/permission-core";
import { type RedisClient, redisScript, requirePrefix, requireUsable, ScriptRunner } from "@x/redis-scripts";
import type { CallbackStore, CallbackUse } from "./callback-store.js";
import { checkCount } from "./check-options.js";
import beginText from "./scripts/begin-callback.lua";
import finishText from "./scripts/finish-callback.lua";
import releaseText from "./scripts/release-callback.lua";

const BEGIN = redisScript("begin-callback", beginText);
const FINISH = redisScript("finish-callback", finishText);
const RELEASE = redisScript("release-callback", releaseText);

export interface RedisCallbackStoreOptions {
  /** Before every key; default `permission-gate:callbacks`. Stores share what they know where prefix and server are the same. */
  prefix?: string;
  /** Within how many milliseconds Redis has to answer; default 5,000. */
  timeoutMs?: number;
}

/**
 * A {@link CallbackStore} that many processes share. Each key expires by itself. Rejects with code `storage` where Redis cannot be
 * reached, so that nothing is delivered that might have been before.
 */
export class RedisCallbackStore implements CallbackStore {
  readonly #runner: ScriptRunner;
  readonly #prefix: string;

  /** Throws code `invalid_option` for a client that cannot run commands, or a prefix that is none. */
  constructor(redis: RedisClient, options: RedisCallbackStoreOptions = {}) {
    requireUsable(redis);
    const { prefix = "permission-gate:callbacks", timeoutMs = 5_000 } = options;
    checkCount("timeoutMs", timeoutMs, 1);
    this.#prefix = requirePrefix(prefix, redis);
    this.#runner = new ScriptRunner(redis, timeoutMs);
  }

  async begin(key: string, { owner, leaseMs }: { owner: string; leaseMs: number }): Promise<CallbackUse> {
    const reply = await this.#runner.run(BEGIN, [this.#keyOf(key)], [owner, wholeMs(leaseMs)]);
    const [kind, text] = Array.isArray(reply) ? reply : [];
    if (kind === "begun" || kind === "busy") return { kind };
    if (kind === "done" && typeof text === "string") return { kind, text };
    throw new PermissionGateError("storage", "Redis gave no reply of a known form (script begin-callback).");
  }

  async finish(
    key: string,
    { owner, text, keepMs }: { owner: string; text: string; keepMs: number },
  ): Promise<void> {
    await this.#runner.run(FINISH, [this.#keyOf(key)], [owner, text, wholeMs(keepMs)]);
  }

  async release(key: string, { owner }: { owner: string }): Promise<void> {
    await this.#runner.run(RELEASE, [this.#keyOf(key)], [owner]);
  }

  #keyOf(key: string): string {
    return `${this.#prefix}:${key}`;
  }
}

/** No more than Redis can add to its time. */
function wholeMs(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 1), Number.MAX_SAFE_INTEGER);
}
