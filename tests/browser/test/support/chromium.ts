import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const CHROMIUM = "/usr/bin/chromium";

/** What keeps a headless browser to itself: it looks nothing up and downloads nothing. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The path of Debian's Chromium, which is installed where it is missing, the process is root and nobody is at a terminal.
 * Throws with the one line that says how to get it otherwise.
 */
export function chromiumPath(): string {
  if (existsSync(CHROMIUM)) return CHROMIUM;
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get") && !process.stdin.isTTY;
  if (!mayInstall) throw new Error("Chromium is missing: install it with `apt-get install chromium`.");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync("apt-get", ["update", "-qq"], { env, stdio: "inherit" });
  execFileSync("apt-get", ["install", "-y", "-qq", "chromium"], { env, stdio: "inherit" });
  return CHROMIUM;
}
