import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Owner, ProcessState } from "./owner.js";

let known: Omit<Owner, "nonce"> | null = null;

/** This process, as the owner of a claim. Outside Linux only its pid and the host's name are known. */
export function thisProcess(): Omit<Owner, "nonce"> {
  known ??= {
    pid: process.pid,
    started: lookAtProcess(process.pid).started,
    boot: textOf("/proc/sys/kernel/random/boot_id"),
    machine: textOf("/etc/machine-id"),
    pid_namespace: linkOf("/proc/self/ns/pid"),
    host: hostname(),
  };
  return known;
}

/** What the system knows of the process. One that has ended and waits for its parent to notice does not exist. */
export function lookAtProcess(pid: number): ProcessState {
  // After the name, which may hold anything but ends at the last `)`: the state is field 3, the start time field 22.
  const stat = textOf(`/proc/${pid}/stat`);
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  if (state === "Z" || state === "X") return { exists: false, started: null };
  return { exists: answers(pid), started: fields[18] ?? null };
}

/** Only "no such process" says that there is none: one of another user refuses the signal. */
function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function textOf(file: string): string | null {
  return orNull(() => readFileSync(file, "utf8").trim());
}

function linkOf(file: string): string | null {
  return orNull(() => readlinkSync(file));
}

function orNull(read: () => string): string | null {
  try {
    return read() || null;
  } catch {
    return null;
  }
}
