import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "../storage-error.js";
import type { Sighting } from "./judge-owner.js";
import type { ProcessIdentity } from "./lock-owner.js";
import { type ProcessStat, parseProcessStat } from "./process-stat.js";

/** The processes that this one can see. */
export interface ProcessTable {
  self(): ProcessIdentity;
  sight(pid: number): Sighting;
}

let identity: ProcessIdentity | undefined;

/**
 * On Linux, a process is its number and start time, and its place the boot with the pid and time namespaces: those of
 * another container, computer or earlier boot differ. Elsewhere it is its number alone, so that a later process of a dead
 * holder's number counts as the holder, and its place is the computer's name. Where Linux hides `/proc`, the place is
 * unknown, and no other process is ever taken for dead.
 */
export const nodeProcesses: ProcessTable = {
  self() {
    identity ??= readIdentity();
    return identity;
  },
  sight(pid) {
    if (!exists(pid)) return { kind: "none" };
    if (nodeProcesses.self().startTime === null) return { kind: "running", startTime: null };
    const stat = readStat(String(pid));
    if (stat?.ended === true) return { kind: "none" };
    // Unreadable: `/proc` may hide other users' processes. One that ended just now is seen as gone next time.
    return { kind: "running", startTime: stat?.startTime ?? null };
  },
};

function readIdentity(): ProcessIdentity {
  const { pid } = process;
  const host = hostname();
  if (process.platform !== "linux") return { pid, startTime: null, place: `host ${host}`, host };
  const stat = readStat("self");
  // Another number means that this `/proc` belongs to another pid namespace.
  if (stat === null || stat.pid !== pid) return { pid, startTime: null, place: null, host };
  return { pid, startTime: stat.startTime, place: readPlace(), host };
}

function readPlace(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `boot ${boot} ${readlinkSync("/proc/self/ns/pid")} ${timeNamespace()}`;
  } catch {
    return null;
  }
}

/** Start times count from the time namespace's own beginning. Linux before 5.6 has none. */
function timeNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/time");
  } catch {
    return "time:[none]";
  }
}

function readStat(name: string): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${name}/stat`, "latin1"));
  } catch {
    return null;
  }
}

/** Signal 0 reaches no process, and tells whether there is one; a refusal (`EPERM`) is a yes. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}
