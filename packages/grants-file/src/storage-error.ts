import { isPermissionGateError, PermissionGateError } from "@x/permission-core";

/** The system's code of a failed operation, such as `ENOENT`; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Runs `work`; what the system refuses becomes code `storage`, the system's error its cause. `what` ends "cannot …". */
export async function orStorageError<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (isPermissionGateError(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PermissionGateError("storage", `cannot ${what}: ${reason}`, { cause });
  }
}
