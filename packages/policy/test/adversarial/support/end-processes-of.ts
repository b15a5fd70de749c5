import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What starts others faster than they can be ended is left to end with its folder after this many times. */
const MAX_ROUNDS = 20;

/** Ends the processes that work in a folder or have their home in it, whatever process group they moved to. */
export function endProcessesOf(folder: string): void {
  if (!existsSync("/proc")) return;
  for (let rounds = MAX_ROUNDS; rounds > 0; rounds -= 1) {
    const found = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && belongsTo(name, folder));
    if (found.length === 0) return;
    for (const id of found) end(Number(id));
  }
}

function belongsTo(id: string, folder: string): boolean {
  try {
    return (
      `${readlinkSync(`/proc/${id}/cwd`)}/`.startsWith(`${folder}/`) ||
      readFileSync(`/proc/${id}/environ`, "latin1").includes(`HOME=${folder}/`)
    );
  } catch {
    return false;
  }
}

function end(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}
