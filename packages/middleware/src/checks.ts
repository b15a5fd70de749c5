import { PermissionCheck } from "@x/permission-core";
import type { CheckFunction } from "./gate/gate-settings.js";

/** A check for `withCheck`: tools that declare themselves `readOnly` run, every other call asks. */
export function allowReadOnlyAskRest(): CheckFunction {
  return ({ tool, toolName }) =>
    tool?.readOnly === true
      ? PermissionCheck.allow()
      : PermissionCheck.ask(`Allow tool '${toolName}' to run?`);
}
