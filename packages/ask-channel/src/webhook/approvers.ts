import type { AskAnswer } from "@x/permission-core";
import { invalidOption } from "./check-options.js";

/**
 * A copy of the option `approvers`; undefined where it is left out, which lets anybody decide. Throws code `invalid_option` for anything but
 * a list of names: a list that was meant, and is not there, must not let anybody decide.
 */
export function approversOf(options: { approvers?: readonly string[] }): readonly string[] | undefined {
  const { approvers } = options;
  if (approvers === undefined && !("approvers" in options)) return undefined;
  if (Array.isArray(approvers) && approvers.every((name) => typeof name === "string")) return [...approvers];
  throw invalidOption("approvers must be a list of names; leave it out to let anybody decide");
}

/** Why somebody other than `approvers` gave this answer; null where one of them did, or nobody is listed. */
export function refusalOfApprover(
  answer: AskAnswer,
  approvers: readonly string[] | undefined,
): string | null {
  if (approvers === undefined) return null;
  if (answer.decided_by === undefined) return "it does not say who decided";
  return approvers.includes(answer.decided_by) ? null : "who decided is not listed as an approver";
}
