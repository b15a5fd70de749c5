import { join } from "node:path";
import { type Clock, isPermissionGateError } from "@x/permission-core";
import type { Host } from "../host.js";
import { LedgerLock } from "../lock/ledger-lock.js";
import { systemCode } from "../storage-error.js";
import type { Turns } from "../turns.js";
import { readClaim } from "./claim-file.js";
import { guardedPath, isClaimName } from "./claim-names.js";

const SWEEP_INTERVAL_MS = 60_000;
/** Files that are looked at while the lock is held once, before others get their turn. */
const FILES_AT_ONCE = 256;

/**
 * Removes the files of claims that are over, about once a minute. The first time it looks at a few alone, wherever they lie:
 * a process may end before a minute has passed, and must not leave more than it removes.
 */
export class ClaimSweep {
  readonly #folder: string;
  readonly #host: Host;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #lock: LedgerLock;
  #sweptAtMs: number | null = null;

  constructor(folder: string, host: Host, clock: Clock, turns: Turns) {
    this.#folder = folder;
    this.#host = host;
    this.#clock = clock;
    this.#turns = turns;
    this.#lock = new LedgerLock(host, 0, "claim folder");
  }

  /** Waits for nobody. What cannot be removed now, a later sweep removes. */
  async sweepAtTimes(): Promise<void> {
    const nowMs = this.#clock.now();
    const isFirst = this.#sweptAtMs === null;
    if (this.#sweptAtMs !== null && Math.abs(nowMs - this.#sweptAtMs) < SWEEP_INTERVAL_MS) return;
    this.#sweptAtMs = nowMs;
    try {
      const names = (await this.#host.files.readdir(this.#folder)).filter(isClaimName);
      for (const some of isFirst ? [anySome(names)] : inPortions(names)) {
        if (!(await this.#sweep(some))) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      const isHarmless = isPermissionGateError(error) || systemCode(error) !== undefined;
      if (!isHarmless) throw error;
    }
  }

  /** false where others hold the lock or wait for it. */
  async #sweep(names: readonly string[]): Promise<boolean> {
    const guarded = guardedPath(this.#folder);
    if (names.length === 0 || this.#turns.isTaken(guarded)) return false;
    await this.#turns.take(guarded, () =>
      this.#lock.hold(guarded, async () => {
        for (const name of names) await this.#removeIfOver(join(this.#folder, name));
      }),
    );
    return true;
  }

  /** A damaged claim stays for whoever asks for it. */
  async #removeIfOver(path: string): Promise<void> {
    const { files, lockFiles } = this.#host;
    try {
      const until = await readClaim(path, lockFiles);
      if (until !== null && this.#clock.now() >= until) await files.unlink(path);
    } catch {
      // Told to whoever asks for it.
    }
  }
}

function anySome(names: readonly string[]): string[] {
  const start = Math.floor(Math.random() * names.length);
  return [...names.slice(start), ...names.slice(0, start)].slice(0, FILES_AT_ONCE);
}

function inPortions(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / FILES_AT_ONCE);
  return Array.from({ length: count }, (_, at) => names.slice(at * FILES_AT_ONCE, (at + 1) * FILES_AT_ONCE));
}
