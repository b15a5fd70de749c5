import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Where a system does not tell of its processes, one is given this time to stop. */
const STOPPED_WITHIN_MS = 100;

/** SIGSTOP. Resolves once the process stands still, for which a busy system takes its time, or has ended. */
export async function pauseProcess(child: ChildProcess): Promise<void> {
  if (!child.kill("SIGSTOP")) return;
  if (!existsSync("/proc/self/stat")) return turn(STOPPED_WITHIN_MS);
  while (!"TZ".includes(stateOf(child))) await turn(1);
}

/** As Linux tells it after the name, which may hold anything: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function stateOf({ pid }: ChildProcess): string {
  const path = `/proc/${pid}/stat`;
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .replace(/^.*\) /s, "")
        .charAt(0)
    : "Z";
}

function turn(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
