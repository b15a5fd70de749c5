import type { GateDecision } from "@x/permission-core";
import { counted } from "./counted.js";

/** `14 calls: 9 allow, 1 allow_modified, …`, in the order in which the verdicts first came. */
export function countVerdicts(decisions: readonly (GateDecision | null)[]): string {
  const counts = new Map<string, number>();
  for (const decision of decisions) {
    const verdict = decision?.verdict ?? "invalid";
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const parts = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
  const grants = decisions.filter((decision) => decision?.rule_source === "grant").length;
  return `${counted(decisions.length, "call")}: ${parts.join(", ")}; ${grants} answered by a grant`;
}
