import type { AskAnswer } from "@x/permission-core";

/** Why somebody other than `approvers` gave this answer; null where one of them did, or nobody is listed. */
export function refusalOfApprover(
  answer: AskAnswer,
  approvers: readonly string[] | undefined,
): string | null {
  if (approvers === undefined) return null;
  if (answer.decided_by === undefined) return "it does not say who decided";
  return approvers.includes(answer.decided_by) ? null : "who decided is not listed as an approver";
}
