import { createHash } from "node:crypto";
import prelude from "./prelude.lua";

/** A Lua script, as Redis knows it. */
export interface RedisScript {
  /** for messages, such as `park` */
  readonly name: string;
  readonly text: string;
  /** SHA-1 of the text, 40 hex, by which `EVALSHA` finds it */
  readonly sha: string;
}

/**
 * A script that does nothing once its caller gave up: `body` finds the server's time in `now`, in milliseconds, and its own
 * arguments from `ARGV[2]`.
 */
export function redisScript(name: string, body: string): RedisScript {
  return plainScript(name, `${prelude}${body}`);
}

/** A script as it stands. */
export function plainScript(name: string, text: string): RedisScript {
  return { name, text, sha: createHash("sha1").update(text).digest("hex") };
}
