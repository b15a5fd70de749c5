import { PermissionCheck } from "@x/permission-core";
import type { ToolDispatchContext } from "./tool-middleware.js";

/** A check that fits a gate (`withCheck`) as well as one tool of `createGate` or `withToolCheck`. */
export interface ContextCheck {
  (context: ToolDispatchContext): PermissionCheck;
  (input: unknown, context: ToolDispatchContext): PermissionCheck;
}

/** A check: tools that declare themselves `readOnly` run, every other call asks. */
export function allowReadOnlyAskRest(): ContextCheck {
  // The context comes last, and alone only where there is no input beside it: the model has no say in what is read of it.
  return (first: unknown, second?: ToolDispatchContext) => {
    const { tool, toolName } = second ?? (first as ToolDispatchContext);
    return tool?.readOnly === true
      ? PermissionCheck.allow()
      : PermissionCheck.ask(`Allow tool '${toolName}' to run?`);
  };
}
