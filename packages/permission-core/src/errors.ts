const BRAND = Symbol.for("@x/permission-core/error");

/** Every code that the packages of this product put on their errors. Codes are stable; messages are not. */
export type PermissionGateErrorCode =
  /** a value that JSON cannot hold; the message ends in the path of the culprit */
  | "not_json"
  /** JSON text that does not parse; the message names the offset */
  | "bad_json"
  /** a record, ask, answer or grant whose fields are not of their wire form; the message names the field */
  | "bad_record"
  /** an option outside its range or of the wrong type */
  | "invalid_option"
  /** a builder that was changed after it had been built into a pipeline */
  | "frozen"
  /** a pipeline that was built without a core */
  | "no_core"
  /** a pipeline that was built without a permission gate, and not on purpose */
  | "no_gate"
  /** two tools of one name */
  | "duplicate_tool"
  /** used after `close()` */
  | "closed"
  /** a resolver that cannot put the question to anybody */
  | "ask_unavailable"
  /** an ask that cannot be put, since somebody else waits for the answer about the same call */
  | "already_waiting"
  /** the wait for an answer ended: the call was cancelled */
  | "ask_cancelled"
  /** the wait for an answer ended: its deadline passed */
  | "ask_expired"
  /** the wait for an answer ended: another resolver answered */
  | "ask_answered"
  /** the run was cancelled while a call was in flight */
  | "run_cancelled"
  /** a guard stopped the run */
  | "run_stopped"
  /** a tool that refuses its own call */
  | "tool_permission"
  /** a grant ledger that does not parse */
  | "ledger_damaged"
  /** a grant ledger that another process holds */
  | "ledger_busy"
  /** a store or a file that cannot be read or written; `cause` has the system's error */
  | "storage";

/**
 * The one error type of all packages. `code` is stable and meant for programs, `message` for people. Two copies of this
 * package can be loaded at once, so test with {@link isPermissionGateError}, not with `instanceof`.
 */
export class PermissionGateError extends Error {
  override readonly name: string = "PermissionGateError";
  readonly code: PermissionGateErrorCode;

  constructor(code: PermissionGateErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/**
 * Whether `error` is a {@link PermissionGateError}, of any loaded copy; with `code`, also of that code. Never throws: what
 * cannot be read is none.
 */
export function isPermissionGateError(
  error: unknown,
  code?: PermissionGateErrorCode,
): error is PermissionGateError {
  if (typeof error !== "object" || error === null) return false;
  try {
    if ((error as { [BRAND]?: unknown })[BRAND] !== true) return false;
    return code === undefined || (error as PermissionGateError).code === code;
  } catch {
    return false;
  }
}
