import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ends the processes that work in a folder or have their home in it, whatever process group they moved to. */
export function endProcessesOf(folder: string): void {
  if (!existsSync("/proc")) return;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    if (Number(id) !== process.pid && belongsTo(id, folder)) end(Number(id));
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
