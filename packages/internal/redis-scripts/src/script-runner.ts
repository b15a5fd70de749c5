import { PermissionGateError } from "@x/permission-core";
import type { RedisClient } from "./redis-client.js";
import { plainScript, type RedisScript } from "./redis-script.js";
import serverTimeText from "./server-time.lua";

const SERVER_TIME = plainScript("server-time", serverTimeText);

/** How long what is known of the server's clock is trusted. */
const CLOCK_TRUSTED_MS = 60_000;

/**
 * Runs scripts that are bounded in time, and that never run after their caller was told that they did not: each carries
 * the time of the server's clock after which it refuses. Neither clock need be right, nor agree with the other.
 */
export class ScriptRunner {
  readonly #redis: RedisClient;
  readonly #timeoutMs: number;
  /** the server's clock in ms less ours, which is monotonic; never too high by more than the server's clock was set back */
  #offsetMs = 0;
  #offsetKnownUntil = Number.NEGATIVE_INFINITY;
  /** the question for the server's clock that is under way, which all share who need it before it counts as lost */
  #asking: { readonly answered: Promise<void>; readonly untilMs: number } | null = null;

  /** `timeoutMs`: within how many milliseconds a script has answered, or is given up. */
  constructor(redis: RedisClient, timeoutMs: number) {
    this.#redis = redis;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The script's reply. All keys must be of one slot. Rejects with code `storage` where Redis cannot be reached, gives an error, or has
   * not answered in time. Then the script may have run before that time, but does not run later: it must be one that can be run again.
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const giveUpAt = performance.now() + this.#timeoutMs;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#tooLate(script)), this.#timeoutMs);
      this.#attempt(script, keys, args, giveUpAt).then(
        (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
        (cause) => {
          clearTimeout(timer);
          reject(failed(script, cause));
        },
      );
    });
  }

  async #attempt(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    giveUpAt: number,
  ): Promise<unknown> {
    if (performance.now() >= this.#offsetKnownUntil) await this.#askClock(keys.slice(0, 1));
    try {
      return await this.#evaluate(script, keys, [this.#onServer(giveUpAt), ...args]);
    } catch (error) {
      const serverNow = latenessOf(error);
      if (serverNow === null || performance.now() >= giveUpAt) throw error;
      // There is time left, so the server's clock was set forward since it was read.
      this.#learn(serverNow);
      return this.#evaluate(script, keys, [this.#onServer(giveUpAt), ...args]);
    }
  }

  #askClock(keys: readonly string[]): Promise<void> {
    const now = performance.now();
    if (this.#asking !== null && now < this.#asking.untilMs) return this.#asking.answered;
    const ask = async () => this.#learn(Number(await this.#evaluate(SERVER_TIME, keys, [])));
    const asking = { answered: ask(), untilMs: now + this.#timeoutMs };
    this.#asking = asking;
    const done = () => {
      if (this.#asking === asking) this.#asking = null;
    };
    asking.answered.then(done, done);
    return asking.answered;
  }

  async #evaluate(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await this.#redis.evalsha(script.sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!messageOf(error).startsWith("NOSCRIPT")) throw error;
      return this.#redis.eval(script.text, keys.length, ...keys, ...args);
    }
  }

  /** The answer took time to come, so what it tells is past: deadlines turn out early, never late. */
  #learn(serverNowMs: number): void {
    const now = performance.now();
    this.#offsetMs = serverNowMs - now;
    this.#offsetKnownUntil = now + CLOCK_TRUSTED_MS;
  }

  #onServer(timeMs: number): number {
    return Math.floor(this.#offsetMs + timeMs);
  }

  #tooLate(script: RedisScript): PermissionGateError {
    const message = `Redis did not answer within ${this.#timeoutMs} ms (script ${script.name}): see whether it can be reached.`;
    return new PermissionGateError("storage", message);
  }
}

function latenessOf(error: unknown): number | null {
  const [, serverNow] = /^LATE (\d+)/.exec(messageOf(error)) ?? [];
  return serverNow === undefined ? null : Number(serverNow);
}

function failed(script: RedisScript, cause: unknown): PermissionGateError {
  const message = `Redis did not run the script ${script.name}: the cause tells why.`;
  return new PermissionGateError("storage", message, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
