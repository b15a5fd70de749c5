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
 * So does what is no file or too long for one of the lock's: somebody else put it there.
 */
export async function sweepStrays(file: string, host: Host): Promise<void> {
  const { folder } = lockNames(file);
  for (const name of await host.files.readdir(folder).catch(() => [])) {
    const kind = strayKind(name, file);
    if (kind !== null) await removeIfStray(kind, join(folder, name), host).catch(() => undefined);
  }
}

async function removeIfStray(kind: StrayKind, path: string, host: Host): Promise<void> {
  const stats = await host.files.lstat(path);
  if (!stats.isFile() || host.clock.now() - stats.mtimeMs <= STRAY_AGE_MS) return;
  if (kind === "owned" && !(await isNobodys(path, host))) return;
  await host.files.unlink(path);
}

async function isNobodys(path: string, { lockFiles, processes }: Host): Promise<boolean> {
  const text = await lockFiles.read(path);
  if (typeof text !== "string") return false;
  const owner = parseLockOwner(text);
  return owner === null || judgeOwner(owner, processes.self().place, processes.sight) !== "running";
}
