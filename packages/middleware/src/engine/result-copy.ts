import { cloneJson, type JsonValue } from "@x/permission-core";
import type { ToolDispatchResult } from "../dispatch-result.js";

/**
 * A copy for those who may only look. An output that JSON cannot hold is copied as far as structured clone goes; one that
 * nothing can copy (it holds functions) is left out, as `undefined`.
 */
export function copyOfResult(result: ToolDispatchResult): ToolDispatchResult {
  const { output, gate, trail } = result;
  return {
    ...result,
    output: copyOfOutput(output) as JsonValue,
    gate: gate === null ? null : { ...gate },
    trail: trail.map((record) => ({ ...record })),
  };
}

function copyOfOutput(output: unknown): unknown {
  try {
    return cloneJson(output);
  } catch {
    // Not JSON; what follows is for tools that answer with dates, maps and the like.
  }
  try {
    return structuredClone(output);
  } catch {
    return undefined;
  }
}
