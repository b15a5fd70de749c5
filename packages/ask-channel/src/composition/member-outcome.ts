import {
  type AskAnswer,
  type AskResolution,
  isPermissionGateError,
  PermissionGateError,
} from "@x/permission-core";

/** A member that gave no answer. Others may still give one. */
export interface NoAnswer {
  /** `unattended`: it was not asked, since it needs somebody here and the run has nobody */
  kind: "unavailable" | "unattended" | "expired";
  error: unknown;
}

/** How the asking of one member ended. `failed`: it threw, or answered nonsense, and denies as it would alone. */
export type MemberOutcome =
  | { kind: "answer"; answer: AskResolution | AskAnswer }
  | { kind: "failed"; error: unknown }
  | NoAnswer;

/**
 * Fails closed: only code `ask_unavailable` and code `ask_expired` leave the question to others. Whatever else a member
 * throws is a failure.
 */
export function outcomeOfError(error: unknown): MemberOutcome {
  if (isPermissionGateError(error, "ask_unavailable")) return { kind: "unavailable", error };
  if (isPermissionGateError(error, "ask_expired")) return { kind: "expired", error };
  return { kind: "failed", error };
}

export function unavailable(message: string, cause?: unknown): PermissionGateError {
  return new PermissionGateError("ask_unavailable", message, cause === undefined ? undefined : { cause });
}

/** What a composition rejects with when no member gave an answer: expired where one did, else unavailable. */
export function nobodyAnswered(members: readonly NoAnswer[]): PermissionGateError {
  const errors = members.map((member) => member.error);
  const cause = errors.length === 1 ? errors[0] : new AggregateError(errors);
  if (members.every((member) => member.kind !== "expired")) return unavailable("nobody can be asked", cause);
  return new PermissionGateError("ask_expired", "nobody answered in time", { cause });
}
