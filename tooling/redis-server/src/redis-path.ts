import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Where Debian's package puts it. */
const REDIS = "/usr/bin/redis-server";

/** Held by whoever installs: tests of several packages begin at once, and each may find Redis missing. */
const LOCK = "/tmp/permission-gate-apt.lock";

const INSTALL = `test -x ${REDIS} || (apt-get update -qq && apt-get install -y -qq redis-server)`;

/**
 * The `redis-server` that PATH finds first, else Debian's, which is installed where it is missing, the process is root and
 * nobody is at a terminal. Throws with the one line that says how to get it otherwise.
 */
export function redisPath(): string {
  const found = onPath() ?? (existsSync(REDIS) ? REDIS : null);
  if (found !== null) return found;
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get") && !process.stdin.isTTY;
  if (!mayInstall)
    throw new Error(
      "Redis is missing: put a `redis-server` on PATH, such as by `apt-get install redis-server`.",
    );
  // Level 1: the package must not start a server of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  execFileSync("flock", [LOCK, "sh", "-c", INSTALL], { env, stdio: "inherit" });
  return REDIS;
}

function onPath(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, "redis-server")).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
