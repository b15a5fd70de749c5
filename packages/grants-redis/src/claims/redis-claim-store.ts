import { randomUUID } from "node:crypto";
import type { ClaimStore } from "@x/permission-core";
import { requireClaim } from "@x/permission-core/stores";
import { type RedisClient, redisScript, requirePrefix, requireUsable, ScriptRunner } from "@x/redis-scripts";
import { hashedKeyPart } from "../key-part.js";
import { DEFAULT_PREFIX, DEFAULT_TIMEOUT_MS, type RedisStoreOptions, requireMs } from "../options.js";
import claim from "./claim.lua";

const CLAIM = redisScript("claim", claim);

/**
 * Claims in Redis: single use across processes and computers. A claim lasts by the server's clock, and no longer than the
 * server keeps its keys: one that comes back empty knows of none.
 */
export class RedisClaimStore implements ClaimStore {
  readonly #runner: ScriptRunner;
  readonly #prefix: string;

  constructor(
    redis: RedisClient,
    { prefix = DEFAULT_PREFIX, timeoutMs = DEFAULT_TIMEOUT_MS }: RedisStoreOptions = {},
  ) {
    requireUsable(redis);
    this.#prefix = requirePrefix(prefix, redis);
    this.#runner = new ScriptRunner(redis, requireMs("timeoutMs", timeoutMs));
  }

  /**
   * True for the first claim of `key`, and again `ttlMs` milliseconds after one that was true. Rejects with code `storage`
   * where it is not known: then the key may have been claimed for this call, and nobody else reads true in that time.
   */
  async claim(key: string, options: { ttlMs: number }): Promise<boolean> {
    const ttlMs = requireClaim(key, options);
    const name = `${this.#prefix}:{${hashedKeyPart(key)}}:claim`;
    return Number(await this.#runner.run(CLAIM, [name], [randomUUID(), ttlMs])) === 1;
  }
}
