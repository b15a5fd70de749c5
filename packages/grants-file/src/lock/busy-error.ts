import { displaySafe, PermissionGateError } from "@x/permission-core";
import type { Blocker } from "./contender.js";

/** Says who holds the lock of `file` and what can be done about it. */
export function busyError(file: string, by: Blocker, timeoutMs: number): PermissionGateError {
  const message = `the grant ledger ${file} is locked by ${holder(by)}; gave up after ${timeoutMs} ms. ${advice(by)}`;
  return new PermissionGateError("ledger_busy", message);
}

function holder(by: Blocker): string {
  switch (by.state) {
    case "running":
      return `process ${by.owner.pid}, which is running`;
    case "foreign":
      return `process ${by.owner.pid} of another computer, container or boot (${displaySafe(by.owner.host).text})`;
    case "unreadable":
      return "a lock file that does not say whose it is";
  }
}

function advice(by: Blocker): string {
  if (by.state === "running") return "Try again when it has finished, or end it if it hangs.";
  const whose = by.state === "foreign" ? "that process" : "every process that uses this ledger";
  return `If ${whose} has ended, remove ${by.path}.`;
}
