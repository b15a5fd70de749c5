import { type DispatchOutcome, type OnReport, precedenceTier } from "@x/permission-core";
import type { DispatchRecorder } from "../dispatch-recorder.js";
import type { ToolDispatchResult } from "../dispatch-result.js";

/** How a dispatch that gave a result ended. */
export function outcomeOf(recorder: DispatchRecorder, result: ToolDispatchResult): DispatchOutcome {
  const { deciding } = recorder;
  if (deciding !== null && precedenceTier(deciding.verdict) === 2) {
    return deciding.verdict === "cancelled" ? "cancelled" : "denied";
  }
  if (result.errorKind === "cancelled") return "cancelled";
  return result.isError ? "failed" : "completed";
}

/** Tells whoever was asked; what they throw is reported. */
export async function settleAsks(
  recorder: DispatchRecorder,
  outcome: DispatchOutcome,
  onReport: OnReport,
): Promise<void> {
  try {
    await recorder.settleAsks(outcome);
  } catch (cause) {
    onReport({ level: "error", message: "An ask resolver failed when it was told how a call ended.", cause });
  }
}
