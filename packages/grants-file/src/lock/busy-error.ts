import { displaySafe, PermissionGateError } from "@x/permission-core";
import type { Blocker } from "./contender.js";

/** Says who or what holds the lock of `file` and what can be done about it. */
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
      return by.what;
    case "tangled":
      return "files of dead processes that lead to no end";
    case "restless":
      return "processes that come and go";
  }
}

function advice(by: Blocker): string {
  switch (by.state) {
    case "running":
      return "Try again when it has finished, or end it if it hangs.";
    case "foreign":
      return `If that process has ended, remove ${by.path}.`;
    case "unreadable":
      return `If every process that uses this ledger has ended, remove ${by.path}.`;
    case "tangled":
      return `If every process that uses this ledger has ended, remove ${by.path} and every ${by.path}.take-… beside it.`;
    case "restless":
      return "Try again later.";
  }
}
