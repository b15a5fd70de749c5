import { judgeOwner, type OwnerState } from "./judge-owner.js";
import type { LockFiles } from "./lock-files.js";
import type { LockNames } from "./lock-names.js";
import { type LockOwner, lockOwnerText, parseLockOwner } from "./lock-owner.js";
import type { ProcessTable } from "./process-table.js";
import type { Obstacle } from "./read-lock-file.js";

/** Who or what stands in the way, by which file. */
export type Blocker =
  | { path: string; state: Exclude<OwnerState, "dead">; owner: LockOwner }
  /** `what` it is instead of a file that says its owner, in words for people */
  | { path: string; state: "unreadable"; what: string }
  /** rights to remove that lead from one dead owner to the next for too long; `path` is the lock */
  | { path: string; state: "tangled" }
  /** whatever was found at `path` was gone at the next look, time after time */
  | { path: string; state: "restless" };

/** `changed`: something was or is being cleared away, so that it is worth trying again at once. */
export type Attempt = { kind: "held" } | { kind: "changed" } | { kind: "blocked"; by: Blocker };

/** Longer than any chain of processes that each died in the few microseconds of removing the one before. */
const MOST_RIGHTS = 64;

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
    return this.#removeIfDead(this.#names.lock, new Set());
  }

  /** Only a lock that still is this contender's is removed. */
  async release(): Promise<void> {
    await this.#removeOwned(this.#names.lock, this.owner.nonce);
  }

  /** `followed` has the nonces of the dead owners whose rights led to `path`. */
  async #removeIfDead(path: string, followed: Set<string>): Promise<Attempt> {
    const text = await this.#files.read(path);
    if (text === null) return { kind: "changed" };
    const owner = typeof text === "string" ? parseLockOwner(text) : null;
    if (owner === null) return { kind: "blocked", by: { path, state: "unreadable", what: nobodys(text) } };
    const { place } = this.owner;
    const state = judgeOwner(owner, place, (pid) => this.#processes.sight(pid));
    if (state !== "dead") return { kind: "blocked", by: { path, state, owner } };

    // No owner dies twice: names that lead back to one were put there by hand.
    if (followed.has(owner.nonce) || followed.size === MOST_RIGHTS)
      return { kind: "blocked", by: { path: this.#names.lock, state: "tangled" } };
    const right = this.#names.take(owner.nonce);
    if (!(await this.#files.link(this.#file, right)))
      return this.#removeIfDead(right, followed.add(owner.nonce));
    try {
      await this.#removeOwned(path, owner.nonce);
    } finally {
      await this.#files.remove(right);
    }
    return { kind: "changed" };
  }

  async #removeOwned(path: string, nonce: string): Promise<void> {
    const text = await this.#files.read(path);
    if (typeof text === "string" && parseLockOwner(text)?.nonce === nonce) await this.#files.remove(path);
  }
}

function nobodys(found: string | Obstacle): string {
  if (typeof found === "string") return "a lock file that does not say whose it is";
  return `${found.what} in the place of a lock file`;
}
