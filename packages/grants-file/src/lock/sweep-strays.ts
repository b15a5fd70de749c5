import { join } from "node:path";
import type { Host } from "../host.js";
import { judgeOwner } from "./judge-owner.js";
import { lockNames, type StrayKind, strayKind } from "./lock-names.js";
import { parseLockOwner } from "./lock-owner.js";

const STRAY_AGE_MS = 60_000;

/**
 * Removes what killed processes left beside `file` more than a minute ago, unless its owner is known to run. To be called
 * by the lock's holder alone. Then an unfinished successor is nobody's, since only holders write one, and no right to
 * remove can be of use, since the lock that it was about is gone for good. What cannot be removed stays: it harms nobody.
 */
export async function sweepStrays(file: string, host: Host): Promise<void> {
  const { folder } = lockNames(file);
  for (const name of await host.files.readdir(folder).catch(() => [])) {
    const kind = strayKind(name, file);
    if (kind !== null) await removeIfStray(kind, join(folder, name), host).catch(() => undefined);
  }
}

async function removeIfStray(kind: StrayKind, path: string, host: Host): Promise<void> {
  const { mtimeMs } = await host.files.lstat(path);
  if (host.clock.now() - mtimeMs <= STRAY_AGE_MS) return;
  if (kind === "owned" && (await ownerRuns(path, host))) return;
  await host.files.unlink(path);
}

async function ownerRuns(path: string, { files, processes }: Host): Promise<boolean> {
  const owner = parseLockOwner(await files.readFile(path, "utf8"));
  if (owner === null) return false;
  return judgeOwner(owner, processes.self().place, processes.sight) === "running";
}
