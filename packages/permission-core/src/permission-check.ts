import type { JsonValue } from "./json.js";

/** What a check says of a call. A union, never a boolean: a refusal has a reason, a question has words. */
export type PermissionCheck =
  | { kind: "allow" }
  /** `reason` reaches the model and the record. */
  | { kind: "deny"; reason: string }
  /** `prompt` names the effect and may reach a record; `details` reaches approvers only, never a record. */
  | { kind: "ask"; prompt: string; details?: string }
  /** The call runs with `modifiedInput` instead. */
  | { kind: "modify"; modifiedInput: JsonValue };

type Of<Kind extends PermissionCheck["kind"]> = Extract<PermissionCheck, { kind: Kind }>;

/** Makes and tells apart checks. The objects are plain: a literal of the same shape is as good. */
export const PermissionCheck: {
  allow(): Of<"allow">;
  deny(reason: string): Of<"deny">;
  ask(prompt: string, options?: { details?: string }): Of<"ask">;
  modify(input: JsonValue): Of<"modify">;
  isAllow(check: PermissionCheck): check is Of<"allow">;
  isDeny(check: PermissionCheck): check is Of<"deny">;
  isAsk(check: PermissionCheck): check is Of<"ask">;
  isModify(check: PermissionCheck): check is Of<"modify">;
} = {
  allow: () => ({ kind: "allow" }),
  deny: (reason) => ({ kind: "deny", reason }),
  ask: (prompt, options) =>
    options?.details === undefined
      ? { kind: "ask", prompt }
      : { kind: "ask", prompt, details: options.details },
  modify: (input) => ({ kind: "modify", modifiedInput: input }),
  isAllow: (check): check is Of<"allow"> => check.kind === "allow",
  isDeny: (check): check is Of<"deny"> => check.kind === "deny",
  isAsk: (check): check is Of<"ask"> => check.kind === "ask",
  isModify: (check): check is Of<"modify"> => check.kind === "modify",
};

/** Whether `value` has the exact shape of a {@link PermissionCheck}; anything else is no decision and fails closed. */
export function isPermissionCheck(value: unknown): value is PermissionCheck {
  if (typeof value !== "object" || value === null) return false;
  const check = value as { [key: string]: unknown };
  switch (check["kind"]) {
    case "allow":
      return true;
    case "deny":
      return typeof check["reason"] === "string";
    case "ask":
      return (
        typeof check["prompt"] === "string" &&
        (check["details"] === undefined || typeof check["details"] === "string")
      );
    case "modify":
      return "modifiedInput" in check && check["modifiedInput"] !== undefined;
    default:
      return false;
  }
}

/** deny > ask > modify > allow. */
export const CHECK_STRICTNESS: Readonly<Record<PermissionCheck["kind"], number>> = {
  allow: 0,
  modify: 1,
  ask: 2,
  deny: 3,
};
