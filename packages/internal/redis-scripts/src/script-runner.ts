import { PermissionGateError } from "@x/permission-core";
import { reasonOf, withoutCommand } from "./client-error.js";
import type { RedisClient } from "./redis-client.js";
import { plainScript, type RedisScript } from "./redis-script.js";
import { ServerClocks } from "./server-clocks.js";
import serverTimeText from "./server-time.lua";

/** What Redis says to a command within MULTI, in the place of its reply. No script gives it. */
const QUEUED = "QUEUED";

const SERVER_TIME = plainScript("server-time", serverTimeText);

/**
 * Runs scripts that are bounded in time, and that never run after their caller was told that they did not: each carries
 * the time of the server's clock after which it refuses. Neither clock need be right, nor agree with the other.
 */
export class ScriptRunner {
  readonly #redis: RedisClient;
  readonly #timeoutMs: number;
  readonly #clocks: ServerClocks;

  /** `timeoutMs`: within how many milliseconds a script has answered, or is given up. */
  constructor(redis: RedisClient, timeoutMs: number) {
    this.#redis = redis;
    this.#timeoutMs = timeoutMs;
    this.#clocks = new ServerClocks(redis, async (client, keys) =>
      Number(await evaluate(client, SERVER_TIME, keys, [])),
    );
  }

  /**
   * The script's reply. All keys must be of one slot. Rejects with code `storage` where Redis cannot be reached, gives an error, has
   * not answered in time, or only queued it, since the client is within MULTI. Then the script may have run before that time, or run yet
   * until then, but does not run later: it must be one that can be run again.
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const giveUpAt = performance.now() + this.#timeoutMs;
    return this.#inTime(script, giveUpAt, this.#attempt(script, keys, args, giveUpAt));
  }

  /** The same for a script that was made by `plainScript` and changes nothing, so that it may run late. */
  read(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const giveUpAt = performance.now() + this.#timeoutMs;
    return this.#inTime(script, giveUpAt, evaluate(this.#redis, script, keys, args));
  }

  /** Not given up a moment before `giveUpAt`: until then, Redis may run it. */
  #inTime(script: RedisScript, giveUpAt: number, running: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      // A timer counts from when the loop last looked at the clock, so it fires early where the loop was held up since.
      const giveUp = () => {
        const leftMs = giveUpAt - performance.now();
        if (leftMs > 0) timer = setTimeout(giveUp, leftMs);
        else reject(this.#tooLate(script));
      };
      let timer = setTimeout(giveUp, this.#timeoutMs);
      running.then(
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
    const [key = ""] = keys;
    const known = this.#clocks.onServer(key, giveUpAt, this.#timeoutMs);
    const until = typeof known === "number" ? known : await known;
    try {
      return await evaluate(this.#redis, script, keys, [until, ...args]);
    } catch (error) {
      const serverNow = latenessOf(error);
      if (serverNow === null || performance.now() >= giveUpAt) throw error;
      // There is time left, so the server's clock was set forward since it was read.
      const told = this.#clocks.onServerTold(key, giveUpAt, serverNow);
      return evaluate(this.#redis, script, keys, [told, ...args]);
    }
  }

  #tooLate(script: RedisScript): PermissionGateError {
    const message = `Redis did not answer within ${this.#timeoutMs} ms (script ${script.name}): see whether it can be reached.`;
    return new PermissionGateError("storage", message);
  }
}

async function evaluate(
  redis: RedisClient,
  script: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return replyOf(script, await redis.evalsha(script.sha, keys.length, ...keys, ...args));
  } catch (error) {
    if (!messageOf(error).startsWith("NOSCRIPT")) throw error;
    return replyOf(script, await redis.eval(script.text, keys.length, ...keys, ...args));
  }
}

function replyOf(script: RedisScript, reply: unknown): unknown {
  if (reply !== QUEUED) return reply;
  const message = `Redis put the script ${script.name} off, since its client is within MULTI: give a client on which no transaction is opened.`;
  throw new PermissionGateError("storage", message);
}

function latenessOf(error: unknown): number | null {
  const [, serverNow] = /^LATE (\d+)/.exec(messageOf(error)) ?? [];
  return serverNow === undefined ? null : Number(serverNow);
}

function failed(script: RedisScript, cause: unknown): PermissionGateError {
  if (cause instanceof PermissionGateError) return cause;
  const message = `Redis did not run the script ${script.name}: ${reasonOf(cause)}.`;
  return new PermissionGateError("storage", message, { cause: withoutCommand(cause) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
