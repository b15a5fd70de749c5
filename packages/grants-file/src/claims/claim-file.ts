import { PermissionGateError } from "@x/permission-core";
import type { LockFiles } from "../lock/lock-files.js";

/**
 * One line of a claim's file. A whole number, whatever the clock gives: the claim ends no earlier. Throws code `storage` for
 * what is no time.
 */
export function claimLine(untilMs: number): string {
  if (!Number.isSafeInteger(Math.ceil(untilMs)))
    throw new PermissionGateError("storage", "a claim cannot be made: the clock gives no time");
  return `${JSON.stringify({ until_ms: Math.ceil(untilMs) })}\n`;
}

/**
 * Unix ms at which the claim of a file ends; null where there is no file. Throws code `storage` for one that is damaged,
 * and for whatever else has the name: nothing is followed or waited for, and no more is read than such a file can hold.
 */
export async function readClaim(path: string, lockFiles: LockFiles): Promise<number | null> {
  const found = await lockFiles.read(path);
  if (found === null) return null;
  const until = typeof found === "string" ? untilIn(found) : null;
  if (until !== null) return until;
  const what = typeof found === "string" ? "damaged" : found.what;
  const message = `the claim ${path} is ${what}: remove it once nothing waits for what it stands for`;
  throw new PermissionGateError("storage", message);
}

/** Of the last whole line: one more may be on its way. Null where that line is none of ours. */
function untilIn(text: string): number | null {
  const line = text.slice(0, text.lastIndexOf("\n") + 1).trimEnd();
  try {
    const { until_ms } = JSON.parse(line.slice(line.lastIndexOf("\n") + 1));
    return Number.isSafeInteger(until_ms) ? until_ms : null;
  } catch {
    return null;
  }
}
