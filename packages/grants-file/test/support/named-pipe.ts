import { execFileSync } from "node:child_process";

/** Makes what blocks whoever opens or reads it in the plain way. */
export function makePipe(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
}
