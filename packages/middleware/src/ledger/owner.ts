/** Who claims a file. What a system does not tell is null. */
export interface Owner {
  pid: number;
  /** when the process started, in the system's own units: a pid is used again, this and the pid are not */
  started: string | null;
  /** of this start of the machine */
  boot: string | null;
  /** the same after a restart of the machine */
  machine: string | null;
  /** in another one the pid means another process */
  pid_namespace: string | null;
  host: string;
  /** of this claim, a UUID: files are named after it */
  nonce: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the system knows of a pid: whether a process has it, and when that started. */
export interface ProcessState {
  exists: boolean;
  started: string | null;
}

/**
 * Whether the owner of a claim has ended, as `self` can tell. Only what is certain counts, never age: a process that `self`
 * cannot see, of another machine or another pid namespace, is taken to live.
 */
export function hasEnded(owner: Owner, self: Owner, look: (pid: number) => ProcessState): boolean {
  if (owner.boot !== self.boot) return isKnownAndSame(owner.machine, self.machine) && bothKnown(owner, self);
  if (owner.boot === null && owner.host !== self.host) return false;
  if (owner.pid_namespace !== self.pid_namespace) return false;
  const { exists, started } = look(owner.pid);
  if (!exists) return true;
  return owner.started !== null && started !== null && owner.started !== started;
}

/** Reads an owner from the text of a claim; null where it is none. */
export function parseOwner(text: string): Owner | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { pid, started, boot, machine, pid_namespace, host, nonce } = value as { [key: string]: unknown };
  if (!Number.isSafeInteger(pid) || typeof host !== "string") return null;
  if (typeof nonce !== "string" || !UUID.test(nonce)) return null;
  if (
    !isTextOrNull(started) ||
    !isTextOrNull(boot) ||
    !isTextOrNull(machine) ||
    !isTextOrNull(pid_namespace)
  ) {
    return null;
  }
  return { pid: pid as number, started, boot, machine, pid_namespace, host, nonce };
}

function isKnownAndSame(left: string | null, right: string | null): boolean {
  return left !== null && left === right;
}

function bothKnown(owner: Owner, self: Owner): boolean {
  return owner.boot !== null && self.boot !== null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
