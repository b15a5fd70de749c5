import { randomBytes } from "node:crypto";
import type { Host } from "../host.js";
import { ensurePrivateFolder } from "../private-folder.js";
import { systemCode } from "../storage-error.js";
import { busyError, type Guarded } from "./busy-error.js";
import { type Attempt, type Blocker, Contender } from "./contender.js";
import { type LockNames, lockNames } from "./lock-names.js";
import { Patience } from "./patience.js";
import { sweepStrays } from "./sweep-strays.js";
import { patienceLeft, waitedInVain, waitedWell } from "./waits-in-vain.js";

const SWEEP_INTERVAL_MS = 60_000;
/** Attempts at once, before timers and other work of this process get their turn. */
const CHANGES_IN_A_ROW = 16;

/** What work learns about how the lock came to it. */
export interface LockTurn {
  /** others held the lock before: what was found out before may have changed */
  readonly waited: boolean;
}

/** Lets one process at a time change a file, through `<file>.lock` beside it. */
export class LedgerLock {
  readonly #host: Host;
  readonly #timeoutMs: number;
  readonly #guarded: Guarded;
  #sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(host: Host, timeoutMs: number, guarded: Guarded = "grant ledger") {
    this.#host = host;
    this.#timeoutMs = timeoutMs;
    this.#guarded = guarded;
  }

  /**
   * Runs `work` while this process holds the lock of `file`, which is given by its real path and need not exist; its
   * folder is made if it is missing. Waits for a holder that runs, takes the place of one that died, and throws
   * `ledger_busy` after the timeout. Calls for one file in one process must not overlap: they would wait for each other.
   * `askedMs` says, by `performance.now()`, since when this call waits for its turn among them. Default: now.
   */
  async hold<Result>(
    file: string,
    work: (turn: LockTurn) => Promise<Result>,
    askedMs: number = performance.now(),
  ): Promise<Result> {
    const { contender, waited } = await this.#acquire(file, askedMs);
    let result: Result;
    try {
      await this.#sweepAtTimes(file);
      result = await work({ waited });
    } catch (error) {
      // The first failure is the one to tell.
      await contender.release().catch(() => undefined);
      throw error;
    }
    await contender.release();
    return result;
  }

  async #acquire(file: string, askedMs: number) {
    const names = lockNames(file);
    const startMs = performance.now();
    const nonce = randomBytes(16).toString("hex");
    const contender = new Contender(names, this.#host.lockFiles, this.#host.processes, nonce);
    const patience = new Patience(this.#host.clock, patienceLeft(file, askedMs, this.#timeoutMs));
    let waited = false;
    let changes = 0;
    try {
      await this.#enter(contender, names.folder);
      for (;;) {
        const attempt = await this.#attempt(contender, names.folder);
        if (attempt.kind === "held") break;
        waited = true;
        changes = attempt.kind === "changed" ? changes + 1 : 0;
        if (attempt.kind === "changed" && changes % CHANGES_IN_A_ROW !== 0) continue;
        if (await patience.wait()) continue;
        waitedInVain(file, startMs);
        const by = attempt.kind === "blocked" ? attempt.by : restless(names);
        throw busyError(this.#guarded, file, by, this.#timeoutMs);
      }
    } finally {
      patience.end();
      // What cannot be removed now, a later sweep removes.
      await contender.leave().catch(() => undefined);
    }
    waitedWell(file);
    return { contender, waited };
  }

  async #enter(contender: Contender, folder: string): Promise<void> {
    try {
      await contender.enter();
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
      await ensurePrivateFolder(folder, this.#host.files);
      await contender.enter();
    }
  }

  async #attempt(contender: Contender, folder: string): Promise<Attempt> {
    try {
      return await contender.attempt();
    } catch (error) {
      // A holder's sweep took this contender's file for a stray one: it was stopped for long, or the clocks differ.
      if (systemCode(error) !== "ENOENT") throw error;
      await this.#enter(contender, folder);
      return { kind: "changed" };
    }
  }

  async #sweepAtTimes(file: string): Promise<void> {
    const nowMs = this.#host.clock.now();
    if (Math.abs(nowMs - this.#sweptAtMs) < SWEEP_INTERVAL_MS) return;
    this.#sweptAtMs = nowMs;
    await sweepStrays(file, this.#host);
  }
}

function restless({ lock }: LockNames): Blocker {
  return { path: lock, state: "restless" };
}
