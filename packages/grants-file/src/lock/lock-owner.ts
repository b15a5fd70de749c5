import { isNonce } from "./lock-names.js";

/** A process as other processes can recognise it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** when it began, in the system's own unit: a later process of the same number differs here. null: not known */
  readonly startTime: string | null;
  /** where `pid` stands for this process, see `process-table.ts`. null: not known */
  readonly place: string | null;
  /** the computer's name, for people */
  readonly host: string;
}

/** What stands in every file of the lock: who made it, and for which of its attempts. */
export interface LockOwner extends ProcessIdentity {
  /** 32 hex, new for every attempt to lock */
  readonly nonce: string;
}

/** Of any system. */
const LARGEST_PID = 2 ** 31 - 1;

export function lockOwnerText({ pid, startTime, place, host, nonce }: LockOwner): string {
  return `${JSON.stringify({ pid, start_time: startTime, place, host, nonce })}\n`;
}

/** null where the text is not of that form: cut off, of another program, or made by hand. */
export function parseLockOwner(text: string): LockOwner | null {
  let fields: Record<string, unknown>;
  try {
    fields = Object(JSON.parse(text));
  } catch {
    return null;
  }
  const { pid, start_time: startTime, place, host, nonce } = fields;
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0 || pid > LARGEST_PID) return null;
  if (!isTextOrNull(startTime) || !isTextOrNull(place) || typeof host !== "string" || !isNonce(nonce))
    return null;
  return { pid, startTime, place, host, nonce };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
