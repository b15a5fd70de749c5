import { basename, dirname, join } from "node:path";

const NONCE = /^[0-9a-f]{32}$/;

/** Whether `value` is a nonce as the lock writes it. Others never become part of a file's name. */
export function isNonce(value: unknown): value is string {
  return typeof value === "string" && NONCE.test(value);
}

/** The files around a locked file, all in its folder, so that `link` can join them. */
export interface LockNames {
  readonly folder: string;
  /** exists while somebody holds the lock */
  readonly lock: string;
  /** a contender's own file, which it links to the other names */
  contender(nonce: string): string;
  /** exists while somebody removes the file that holds the nonce of a dead process */
  take(nonce: string): string;
}

export function lockNames(file: string): LockNames {
  const folder = dirname(file);
  const name = `${basename(file)}.lock`;
  return {
    folder,
    lock: join(folder, name),
    contender: (nonce) => join(folder, `.${name}.${nonce}`),
    take: (nonce) => join(folder, `${name}.take-${nonce}`),
  };
}

/** What a killed process may leave: a file that says its owner, or a half-written successor of the locked file. */
export type StrayKind = "owned" | "unfinished";

/** Which of these a name in the folder of `file` is; null for everything else, the lock itself included. */
export function strayKind(name: string, file: string): StrayKind | null {
  const base = basename(file);
  const isNonceBetween = (prefix: string, suffix: string) =>
    name.startsWith(prefix) &&
    name.endsWith(suffix) &&
    isNonce(name.slice(prefix.length, name.length - suffix.length));
  if (isNonceBetween(`.${base}.lock.`, "") || isNonceBetween(`${base}.lock.take-`, "")) return "owned";
  return isNonceBetween(`.${base}.`, ".tmp") ? "unfinished" : null;
}
