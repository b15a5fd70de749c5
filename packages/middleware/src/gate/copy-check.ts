import { cloneJson, isPermissionCheck, type JsonValue, type PermissionCheck } from "@x/permission-core";

/** Frozen, since layers see it. */
export const ALLOW: PermissionCheck = Object.freeze({ kind: "allow" });

/** A decision in an object of its own, each member read once; null for what is none. Throws what its getters throw. */
export function copyCheck(value: unknown): PermissionCheck | null {
  if (typeof value !== "object" || value === null) return null;
  const { kind, reason, prompt, details, modifiedInput } = value as { [member: string]: unknown };
  if (kind === "allow") return ALLOW;
  const copy = {
    kind,
    ...(reason === undefined ? undefined : { reason }),
    ...(prompt === undefined ? undefined : { prompt }),
    ...(details === undefined ? undefined : { details }),
    ...(modifiedInput === undefined ? undefined : { modifiedInput }),
  };
  return isPermissionCheck(copy) ? copy : null;
}

/** What a caller claims of its call, so that nothing it does later changes it. What is no claim stays, to be refused. */
export function copyClaim(claim: PermissionCheck): PermissionCheck {
  try {
    const copy = copyCheck(claim);
    if (copy === null) return claim;
    return copy.kind === "modify"
      ? { ...copy, modifiedInput: cloneJson(copy.modifiedInput) as JsonValue }
      : copy;
  } catch {
    return claim;
  }
}
