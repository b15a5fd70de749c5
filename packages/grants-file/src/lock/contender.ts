import { judgeOwner, type OwnerState } from "./judge-owner.js";
import type { LockFiles } from "./lock-files.js";
import type { LockNames } from "./lock-names.js";
import { type LockOwner, lockOwnerText, parseLockOwner } from "./lock-owner.js";
import type { ProcessTable } from "./process-table.js";

/** Who stands in the way, by which file. `owner` is null where the file's text says none. */
export type Blocker =
  | { path: string; state: Exclude<OwnerState, "dead">; owner: LockOwner }
  | { path: string; state: "unreadable"; owner: null };

/** `changed`: something was or is being cleared away, so that it is worth trying again at once. */
export type Attempt = { kind: "held" } | { kind: "changed" } | { kind: "blocked"; by: Blocker };

/**
 * One attempt of one process to hold a lock. The lock is a name that its holder links its own file to, so that there
 * never is a lock without an owner.
 *
 * Of a dead owner, the lock may be removed by whoever holds the *right to remove that owner's nonce*, a name of its own,
 * which is linked to in the same way. Its holder reads the lock again and removes it only if it still is that owner's.
 * So no two processes remove on the evidence of one reading, and a lock that was taken meanwhile stays. Should the
 * remover die too, the right is removed as the lock is: by the right to remove the remover's nonce.
 *
 * Renaming the dead lock away would not do: between reading and renaming, the name may have become a living one's.
 */
export class Contender {
  readonly owner: LockOwner;
  readonly #names: LockNames;
  readonly #files: LockFiles;
  readonly #processes: ProcessTable;
  readonly #file: string;

  constructor(names: LockNames, files: LockFiles, processes: ProcessTable, nonce: string) {
    this.owner = { ...processes.self(), nonce };
    this.#names = names;
    this.#files = files;
    this.#processes = processes;
    this.#file = names.contender(nonce);
  }

  /** Must come before the first `attempt`. */
  enter(): Promise<void> {
    return this.#files.create(this.#file, lockOwnerText(this.owner));
  }

  /** Ends the attempts. A lock that was obtained stays held. */
  leave(): Promise<void> {
    return this.#files.remove(this.#file);
  }

  /** Fails with `ENOENT` where this contender's file is gone: `enter` again. */
  async attempt(): Promise<Attempt> {
    if (await this.#files.link(this.#file, this.#names.lock)) return { kind: "held" };
    return this.#removeIfDead(this.#names.lock);
  }

  /** Only a lock that still is this contender's is removed. */
  async release(): Promise<void> {
    await this.#removeOwned(this.#names.lock, this.owner.nonce);
  }

  async #removeIfDead(path: string): Promise<Attempt> {
    const text = await this.#files.read(path);
    if (text === null) return { kind: "changed" };
    const owner = parseLockOwner(text);
    if (owner === null) return { kind: "blocked", by: { path, state: "unreadable", owner } };
    const { place } = this.owner;
    const state = judgeOwner(owner, place, (pid) => this.#processes.sight(pid));
    if (state !== "dead") return { kind: "blocked", by: { path, state, owner } };

    const right = this.#names.take(owner.nonce);
    if (!(await this.#files.link(this.#file, right))) return this.#removeIfDead(right);
    try {
      await this.#removeOwned(path, owner.nonce);
    } finally {
      await this.#files.remove(right);
    }
    return { kind: "changed" };
  }

  async #removeOwned(path: string, nonce: string): Promise<void> {
    const text = await this.#files.read(path);
    if (text !== null && parseLockOwner(text)?.nonce === nonce) await this.#files.remove(path);
  }
}
