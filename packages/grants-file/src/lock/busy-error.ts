import { dirname } from "node:path";
import { displaySafe, PermissionGateError } from "@x/permission-core";
import type { Blocker } from "./contender.js";

/** What a lock guards: the file that it is named after, or all claims of that file's folder. */
export type Guarded = "grant ledger" | "claim folder";

/** Says who or what holds the lock of `file` and what can be done about it. */
export function busyError(
  guarded: Guarded,
  file: string,
  by: Blocker,
  timeoutMs: number,
): PermissionGateError {
  const path = guarded === "claim folder" ? dirname(file) : file;
  const message = `the ${guarded} ${path} is locked by ${holder(by)}; gave up after ${timeoutMs} ms. ${advice(guarded, by)}`;
  return new PermissionGateError("ledger_busy", message);
}

function holder(by: Blocker): string {
  switch (by.state) {
    case "running":
      return `process ${by.owner.pid}, which is running`;
    case "foreign":
      return `process ${by.owner.pid} of another computer, container or boot (${displaySafe(by.owner.host).text})`;
    case "unreadable":
      return by.what;
    case "tangled":
      return "files of dead processes that lead to no end";
    case "restless":
      return "processes that come and go";
  }
}

function advice(guarded: Guarded, by: Blocker): string {
  const ended = `If every process that uses this ${guarded} has ended`;
  switch (by.state) {
    case "running":
      return "Try again when it has finished, or end it if it hangs.";
    case "foreign":
      return `If that process has ended, remove ${by.path}.`;
    case "unreadable":
      return `${ended}, remove ${by.path}.`;
    case "tangled":
      return `${ended}, remove ${by.path} and every ${by.path}.take-… beside it.`;
    case "restless":
      return "Try again later.";
  }
}
