import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const REDIS = "/usr/bin/redis-server";

/**
 * The path of Debian's Redis, which is installed where it is missing, the process is root and nobody is at a terminal.
 * Throws with the one line that says how to get it otherwise.
 */
export function redisPath(): string {
  if (existsSync(REDIS)) return REDIS;
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get") && !process.stdin.isTTY;
  if (!mayInstall) throw new Error("Redis is missing: install it with `apt-get install redis-server`.");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const wait = ["-o", "DPkg::Lock::Timeout=300"];
  execFileSync("apt-get", ["update", "-qq"], { env, stdio: "inherit" });
  execFileSync("apt-get", [...wait, "install", "-y", "-qq", "redis-server"], { env, stdio: "inherit" });
  return REDIS;
}
