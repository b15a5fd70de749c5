import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const REDIS = "/usr/bin/redis-server";

/** Held by whoever installs: tests of several packages begin at once, and each may find Redis missing. */
const LOCK = "/tmp/permission-gate-apt.lock";

const INSTALL = `test -x ${REDIS} || (apt-get update -qq && apt-get install -y -qq redis-server)`;

/**
 * The path of Debian's Redis, which is installed where it is missing, the process is root and nobody is at a terminal.
 * Throws with the one line that says how to get it otherwise.
 */
export function redisPath(): string {
  if (existsSync(REDIS)) return REDIS;
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get") && !process.stdin.isTTY;
  if (!mayInstall) throw new Error("Redis is missing: install it with `apt-get install redis-server`.");
  // Level 1: the package must not start a server of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  execFileSync("flock", [LOCK, "sh", "-c", INSTALL], { env, stdio: "inherit" });
  return REDIS;
}
