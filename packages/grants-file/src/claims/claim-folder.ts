import type { FileHandle } from "node:fs/promises";
import type { Clock } from "@x/permission-core";
import type { Host } from "../host.js";
import { LedgerLock } from "../lock/ledger-lock.js";
import { ensurePrivateFolder, syncFolder } from "../private-folder.js";
import { renamePatiently } from "../replace-file.js";
import { orStorageError, systemCode } from "../storage-error.js";
import { Turns } from "../turns.js";
import { claimLine, readClaim } from "./claim-file.js";
import { claimPath, guardedPath, unfinishedPath } from "./claim-names.js";
import { ClaimSweep } from "./claim-sweep.js";

const OWNER_READS_AND_WRITES = 0o600;
/** How long making a claim may take; so much longer lasts one whose maker died before it was told. */
const MAKING_MS = 60_000;

/** The lock is between processes; within one, those who need it go in turn. */
const turns = new Turns();

/** A claim's file that is not in its place yet. */
interface Unfinished {
  readonly path: string;
  readonly handle: FileHandle;
  /** Unix ms until which the claim lasts if nothing more is written */
  readonly untilMs: number;
}

/**
 * Claims of one folder, a file for each. A claim that nobody has is made by `link`, which succeeds for one alone and shows
 * no half-written file. Only the holder of the folder's lock replaces or removes a file, and only one whose time is over.
 *
 * A file says when its claim ends, in its last whole line. It comes into its place with a time that is too late, and gets
 * the right one, counted from when it stands, just before its maker reads true.
 */
export class ClaimFolder {
  readonly #folder: string;
  readonly #host: Host;
  /** says when a claim ends; the lock has the host's */
  readonly #clock: Clock;
  readonly #lock: LedgerLock;
  readonly #sweep: ClaimSweep;

  constructor(folder: string, host: Host, clock: Clock, lockTimeoutMs: number) {
    this.#folder = folder;
    this.#host = host;
    this.#clock = clock;
    this.#lock = new LedgerLock(host, lockTimeoutMs, "claim folder");
    this.#sweep = new ClaimSweep(folder, host, clock, turns);
  }

  async claim(key: string, ttlMs: number): Promise<boolean> {
    const path = claimPath(this.#folder, key);
    // Before, so that nothing comes between a claim that stands and its maker's reading true.
    await this.#sweep.sweepAtTimes();
    return orStorageError(`claim in ${this.#folder}`, async () => {
      for (;;) {
        const outcome = await this.#attempt(path, ttlMs);
        if (outcome !== "changed") return outcome;
      }
    });
  }

  async #attempt(path: string, ttlMs: number): Promise<boolean | "changed"> {
    const until = await this.#until(path);
    if (until === null) return this.#make(path, ttlMs);
    return this.#clock.now() < until ? false : this.#takeOver(path, ttlMs);
  }

  /** Only where nobody has the name. */
  #make(path: string, ttlMs: number): Promise<true | "changed"> {
    return this.#withNewFile(ttlMs, async (unfinished) => {
      try {
        if (!(await this.#host.lockFiles.link(unfinished.path, path))) return "changed";
        return await this.#finish(unfinished, ttlMs);
      } catch (error) {
        // A sweep took it for a stray one: this process was stopped for long.
        if (systemCode(error) === "ENOENT") return "changed";
        throw error;
      }
    });
  }

  #takeOver(path: string, ttlMs: number): Promise<boolean | "changed"> {
    const guarded = guardedPath(this.#folder);
    const work = async (): Promise<boolean | "changed"> => {
      const until = await this.#until(path);
      // Without a file there is nothing to replace: somebody may be making one.
      if (until === null) return "changed";
      if (this.#clock.now() < until) return false;
      return this.#withNewFile(ttlMs, async (unfinished) => {
        await renamePatiently(unfinished.path, path, this.#host);
        return this.#finish(unfinished, ttlMs);
      });
    };
    return turns.take(guarded, (askedMs) => this.#lock.hold(guarded, work, askedMs));
  }

  /**
   * Runs `place` with a new file that says when its claim ends, safe on disk, under a name that nobody looks for. Of that
   * name nothing is left.
   */
  async #withNewFile<Result>(
    ttlMs: number,
    place: (unfinished: Unfinished) => Promise<Result>,
  ): Promise<Result> {
    const { files } = this.#host;
    const path = unfinishedPath(this.#folder);
    const open = () => files.open(path, "ax", OWNER_READS_AND_WRITES);
    const handle = await open().catch(async (error) => {
      if (systemCode(error) !== "ENOENT") throw error;
      await ensurePrivateFolder(this.#folder, files);
      return open();
    });
    try {
      const untilMs = this.#clock.now() + MAKING_MS + ttlMs;
      await handle.chmod(OWNER_READS_AND_WRITES);
      await handle.appendFile(claimLine(untilMs));
      await handle.sync();
      return await place({ path, handle, untilMs });
    } finally {
      await files.unlink(path).catch(() => undefined);
      await handle.close();
    }
  }

  /**
   * For a claim that stands: it ends `ttlMs` from now on. "changed" where its time is over before that is written, so that it
   * could be another's by now: this process was stopped for long, or the clock jumped. Then nothing is written that would
   * keep this call from taking it over. A line that a power failure takes away makes it last longer, never shorter.
   */
  async #finish({ handle, untilMs }: Unfinished, ttlMs: number): Promise<true | "changed"> {
    await syncFolder(this.#folder, this.#host.files);
    const nowMs = this.#clock.now();
    if (nowMs >= untilMs) return "changed";
    const endsMs = nowMs + ttlMs;
    await handle.appendFile(claimLine(endsMs));
    return this.#clock.now() < Math.min(endsMs, untilMs) ? true : "changed";
  }

  #until(path: string): Promise<number | null> {
    return readClaim(path, this.#host.lockFiles);
  }
}
