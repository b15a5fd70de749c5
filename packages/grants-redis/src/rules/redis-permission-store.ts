import { randomUUID } from "node:crypto";
import {
  canonicalJson,
  PermissionGateError,
  type PermissionStore,
  parseRule,
  type Rule,
} from "@x/permission-core";
import { type RedisClient, redisScript, requirePrefix, requireUsable, ScriptRunner } from "@x/redis-scripts";
import { keyPart } from "../key-part.js";
import { DEFAULT_PREFIX, DEFAULT_TIMEOUT_MS, type RedisStoreOptions, requireMs } from "../options.js";
import forget from "./forget.lua";
import record from "./record.lua";
import rules from "./rules.lua";

const RECORD = redisScript("record", record);
const RULES = redisScript("rules", rules);
const FORGET = redisScript("forget", forget);

/** More rules than these a session does not learn. */
const MOST_RULES = 256;

export interface RedisPermissionStoreOptions extends RedisStoreOptions {
  /** Milliseconds after which the rules of a session are forgotten that were neither read nor added to. Default: never. */
  sessionTtlMs?: number;
}

/**
 * Learned rules in Redis, seen by every process at once. A session keeps 256; a rule that it knows already takes no room,
 * and what comes when it is full is dropped. Rejects with code `storage` where Redis cannot be reached, refuses, has not
 * answered within `timeoutMs`, or holds what is no rule; `record` rejects what is no rule with `bad_record`.
 */
export class RedisPermissionStore implements PermissionStore {
  readonly #runner: ScriptRunner;
  readonly #prefix: string;
  /** 0: never */
  readonly #sessionTtlMs: number;

  constructor(redis: RedisClient, options: RedisPermissionStoreOptions = {}) {
    const { prefix = DEFAULT_PREFIX, timeoutMs = DEFAULT_TIMEOUT_MS, sessionTtlMs } = options;
    requireUsable(redis);
    this.#prefix = requirePrefix(prefix, redis);
    this.#runner = new ScriptRunner(redis, requireMs("timeoutMs", timeoutMs));
    this.#sessionTtlMs = sessionTtlMs === undefined ? 0 : requireMs("sessionTtlMs", sessionTtlMs);
  }

  async record(sessionId: string, rule: Rule): Promise<void> {
    const text = canonicalJson(parseRule(rule));
    const key = this.#key(sessionId);
    await this.#runner.run(RECORD, [key, done(key)], [text, MOST_RULES, this.#sessionTtlMs]);
  }

  async rules(sessionId: string): Promise<Rule[]> {
    const key = this.#key(sessionId);
    const texts = await this.#runner.run(RULES, [key], [this.#sessionTtlMs]);
    try {
      if (Array.isArray(texts)) return texts.map((text) => parseRule(JSON.parse(String(text))));
    } catch {
      // Told below, without the text.
    }
    throw new PermissionGateError(
      "storage",
      `the learned rules under ${key} are damaged: forget that session`,
    );
  }

  async forget(sessionId: string): Promise<void> {
    const key = this.#key(sessionId);
    await this.#runner.run(FORGET, [key, done(key)], []);
  }

  #key(sessionId: string): string {
    return `${this.#prefix}:{session=${keyPart(sessionId)}}:rules`;
  }
}

/** What one call of a script did, until it cannot be sent again. */
function done(key: string): string {
  return `${key}:done:${randomUUID()}`;
}
