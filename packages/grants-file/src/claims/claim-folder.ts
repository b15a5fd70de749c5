import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, isPermissionGateError, PermissionGateError } from "@x/permission-core";
import type { Host } from "../host.js";
import { LedgerLock } from "../lock/ledger-lock.js";
import { ensurePrivateFolder, syncFolder } from "../private-folder.js";
import { renamePatiently } from "../replace-file.js";
import { orStorageError, systemCode } from "../storage-error.js";
import { Turns } from "../turns.js";
import { claimPath, guardedPath, isClaimName, unfinishedPath } from "./claim-names.js";

const OWNER_READS_AND_WRITES = 0o600;
const SWEEP_INTERVAL_MS = 60_000;
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
  readonly #lockForSweeping: LedgerLock;
  #sweptAtMs: number;

  constructor(folder: string, host: Host, clock: Clock, lockTimeoutMs: number) {
    this.#folder = folder;
    this.#host = host;
    this.#clock = clock;
    this.#lock = new LedgerLock(host, lockTimeoutMs);
    this.#lockForSweeping = new LedgerLock(host, 0);
    this.#sweptAtMs = clock.now();
  }

  async claim(key: string, ttlMs: number): Promise<boolean> {
    const path = claimPath(this.#folder, key);
    const isFirst = await orStorageError(`claim in ${this.#folder}`, async () => {
      for (;;) {
        const outcome = await this.#attempt(path, ttlMs);
        if (outcome !== "changed") return outcome;
      }
    });
    if (isFirst) await this.#sweepAtTimes();
    return isFirst;
  }

  async #attempt(path: string, ttlMs: number): Promise<boolean | "changed"> {
    const until = this.#until(path);
    if (until === null) return this.#make(path, ttlMs);
    return this.#clock.now() < until ? false : this.#takeOver(path, ttlMs);
  }

  /** Only where nobody has the name. */
  async #make(path: string, ttlMs: number): Promise<true | "changed"> {
    const { files, lockFiles } = this.#host;
    const unfinished = await this.#write(ttlMs);
    try {
      if (!(await lockFiles.link(unfinished.path, path))) return "changed";
      return await this.#finish(unfinished, ttlMs);
    } catch (error) {
      // A sweep took it for a stray one: this process was stopped for long.
      if (systemCode(error) === "ENOENT") return "changed";
      throw error;
    } finally {
      await files.unlink(unfinished.path).catch(() => undefined);
      await unfinished.handle.close();
    }
  }

  #takeOver(path: string, ttlMs: number): Promise<boolean | "changed"> {
    const guarded = guardedPath(this.#folder);
    return turns.take(guarded, (askedMs) =>
      this.#lock.hold(
        guarded,
        async () => {
          const until = this.#until(path);
          // Without a file there is nothing to replace: somebody may be making one.
          if (until === null) return "changed";
          if (this.#clock.now() < until) return false;
          const unfinished = await this.#write(ttlMs);
          try {
            await renamePatiently(unfinished.path, path, this.#host);
            return await this.#finish(unfinished, ttlMs);
          } finally {
            await unfinished.handle.close();
          }
        },
        askedMs,
      ),
    );
  }

  /** A new file that says when its claim ends, safe on disk, under a name that nobody looks for. To be closed. */
  async #write(ttlMs: number): Promise<Unfinished> {
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
      return { path, handle, untilMs };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * For a claim that stands: it ends `ttlMs` from now on. "changed" where it could be another's by now, since this process
   * was stopped for long. A line that a power failure takes away makes it last longer, never shorter.
   */
  async #finish({ handle, untilMs }: Unfinished, ttlMs: number): Promise<true | "changed"> {
    await syncFolder(this.#folder, this.#host.files);
    const endsMs = this.#clock.now() + ttlMs;
    await handle.appendFile(claimLine(endsMs));
    return this.#clock.now() < Math.min(endsMs, untilMs) ? true : "changed";
  }

  /** Unix ms at which a claim ends; null where there is none. */
  #until(path: string): number | null {
    let text: string;
    try {
      text = Buffer.from(this.#host.readFile(path).bytes).toString();
    } catch (error) {
      if (systemCode(error) === "ENOENT") return null;
      throw error;
    }
    const until = untilIn(text);
    if (until !== null) return until;
    const message = `the claim ${path} is damaged: remove it once nothing waits for what it stands for`;
    throw new PermissionGateError("storage", message);
  }

  /** What cannot be removed now, a later sweep removes. */
  async #sweepAtTimes(): Promise<void> {
    const nowMs = this.#clock.now();
    if (Math.abs(nowMs - this.#sweptAtMs) < SWEEP_INTERVAL_MS) return;
    this.#sweptAtMs = nowMs;
    const guarded = guardedPath(this.#folder);
    try {
      await turns.take(guarded, () => this.#lockForSweeping.hold(guarded, () => this.#sweep()));
    } catch (error) {
      const isHarmless = isPermissionGateError(error) || systemCode(error) !== undefined;
      if (!isHarmless) throw error;
    }
  }

  async #sweep(): Promise<void> {
    const { files } = this.#host;
    for (const name of (await files.readdir(this.#folder)).filter(isClaimName)) {
      const path = join(this.#folder, name);
      try {
        const until = this.#until(path);
        if (until !== null && this.#clock.now() >= until) await files.unlink(path);
      } catch {
        // A damaged claim stays for whoever asks for it.
      }
    }
  }
}

function claimLine(untilMs: number): string {
  return `${JSON.stringify({ until_ms: untilMs })}\n`;
}

/** Of the last whole line: one more may be on its way. Null where that line is none of ours. */
function untilIn(text: string): number | null {
  const line = text.slice(0, text.lastIndexOf("\n") + 1).trimEnd();
  try {
    const { until_ms } = JSON.parse(line.slice(line.lastIndexOf("\n") + 1));
    return Number.isSafeInteger(until_ms) ? until_ms : null;
  } catch {
    return null;
  }
}
