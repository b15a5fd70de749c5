import type { ToolDispatchResult } from "@x/middleware";
import { type JsonValue, precedenceTier } from "@x/permission-core";
import type { CallWatch } from "../call-watch.js";

const REFUSED = 2;

/** The end of a call's line: why it was refused or who approved it, and what came of it. */
export function toldOf({ gate, isError, output }: ToolDispatchResult, { ask, event }: CallWatch): string {
  const changed = ask?.descriptor_changed === true ? "[description changed since approved] " : "";
  const decidedBy = event?.decided_by ?? null;
  if (gate !== null && precedenceTier(gate.verdict) === REFUSED) {
    return `${changed}${gate.reason ?? ""}${decidedBy === null ? "" : ` (${decidedBy})`}`;
  }
  const approved = decidedBy === null ? "" : `approved (${decidedBy}); `;
  return `${changed}${approved}${isError ? String(output) : summaryOf(output)}`;
}

function summaryOf(output: JsonValue): string {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return "";
  return String(output["summary"] ?? "");
}
