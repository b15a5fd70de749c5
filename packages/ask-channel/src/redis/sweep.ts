import { parsePendingAsk } from "@x/permission-core";
import type { AskingScripts, RefreshedState } from "./asking-scripts.js";
import type { ChannelSettings } from "./options.js";
import type { Outage } from "./outage.js";
import { Rerun } from "./rerun.js";
import type { Wait } from "./wait.js";

/** How many asks are refreshed by one script: some tens of microseconds of Redis's time each hundred. */
const BATCH = 200;
const RETRY_MS = 500;

/** What the sweep looks after. */
export interface SweepHandlers {
  waits(): Iterable<Wait>;
  isIdle(): boolean;
  /** the client was closed, or has given up: it runs nothing any more */
  onClientEnd(): void;
  /** gives whether there are none any more that Redis was not told of */
  tellEndings(): Promise<boolean>;
  /** what was put is not of the form of an ask */
  onNoAsk(wait: Wait, error: unknown): void;
  onState(wait: Wait, state: Exclude<RefreshedState, "pending">): Promise<void>;
  /** what this server knows of its ask may not be all that became of it */
  onDoubt(wait: Wait, server: string): void;
  /** an approver is demanded, and none has been there for as long as one may be away */
  onNobody(wait: Wait): void;
  onIdle(): void;
}

/**
 * Three times in each lease: gives a sign of life for every wait, and reads what became of their asks, so that a message
 * that was lost delays an answer and loses nothing. One timer, and none while nothing waits. Single ones are done before,
 * where they ask for it.
 */
export class Sweep {
  readonly #settings: ChannelSettings;
  readonly #scripts: AskingScripts;
  readonly #outage: Outage;
  readonly #handlers: SweepHandlers;
  readonly #run = new Rerun(() => this.#runOnce());
  #timer: { cancel(): void } | null = null;
  #isSoon = false;
  readonly #early = new Set<Wait>();
  #absentSinceMs: number | null = null;

  constructor(settings: ChannelSettings, scripts: AskingScripts, outage: Outage, handlers: SweepHandlers) {
    this.#settings = settings;
    this.#scripts = scripts;
    this.#outage = outage;
    this.#handlers = handlers;
  }

  now(): Promise<void> {
    return this.#run.want();
  }

  /** At its usual time. Does nothing where it is due already. */
  later(): void {
    this.#timer ??= this.#after(this.#intervalMs());
  }

  /** Since something failed. */
  soon(): void {
    if (this.#isSoon || this.#handlers.isIdle()) return;
    this.#isSoon = true;
    this.#timer?.cancel();
    this.#timer = this.#after(Math.min(RETRY_MS, this.#intervalMs()));
  }

  /** This one, with all others that are wanted in this turn of the loop. */
  early(wait: Wait): void {
    if (this.#early.size === 0) {
      // Timers that are due together run in one turn, each with its own promises.
      setImmediate(() => {
        const waits = [...this.#early];
        this.#early.clear();
        void this.#refreshAll(waits);
      });
    }
    this.#early.add(wait);
  }

  stopIfIdle(): void {
    if (!this.#handlers.isIdle()) return;
    this.#timer?.cancel();
    this.#timer = null;
    this.#isSoon = false;
    this.#absentSinceMs = null;
    this.#handlers.onIdle();
  }

  /** Gives whether Redis answered. */
  async refresh(waits: readonly Wait[]): Promise<boolean> {
    try {
      const askedAtMs = performance.now();
      const asks = waits.map((wait) => wait.parking());
      const { approvers, server, states } = await this.#scripts.refresh(asks);
      this.#outage.worked();
      await Promise.all(
        states.map((state, at) => {
          const wait = waits[at];
          // It may go on with another ask by now.
          if (wait === undefined || wait.stored.id !== asks[at]?.id) return undefined;
          const isOver = state === "ended" || state === "damaged";
          // Whoever went on with one that is gone may have ended it so long ago that the server has forgotten that.
          const isForgotten = state === "gone" && wait.isDoubtful;
          if (!isOver && (isForgotten || !wait.isSureOn(server))) return this.#handlers.onDoubt(wait, server);
          // Whoever else holds it may take its answer at any time.
          wait.confirm(server, state === "lost" ? Number.NEGATIVE_INFINITY : askedAtMs);
          // The reply to its parking may have been lost.
          if (state === "pending" || state === "read") wait.parked();
          return state === "pending" ? undefined : this.#handlers.onState(wait, state);
        }),
      );
      if (this.#areAllAway(approvers))
        for (const wait of waits) if (!wait.isOver) this.#handlers.onNobody(wait);
      return true;
    } catch (error) {
      this.#outage.failed(error);
      this.soon();
      return false;
    }
  }

  #after(ms: number): { cancel(): void } {
    return this.#settings.clock.setTimer(() => {
      this.#timer = null;
      this.#isSoon = false;
      void this.now();
    }, ms);
  }

  #intervalMs(): number {
    return Math.ceil(this.#settings.times.leaseMs / 3);
  }

  async #runOnce(): Promise<void> {
    if (this.#settings.redis.status === "end") this.#handlers.onClientEnd();
    await this.#refreshAll([...this.#handlers.waits()].filter((wait) => wait.isParked));
    // Not before: what waits must give its sign of life in time, however much there is to tell.
    if (!(await this.#handlers.tellEndings())) this.soon();
    if (this.#handlers.isIdle()) this.stopIfIdle();
    else this.later();
  }

  async #refreshAll(waits: readonly Wait[]): Promise<void> {
    for (let at = 0; at < waits.length; at += BATCH) {
      const batch = waits.slice(at, at + BATCH).filter((wait) => {
        if (!wait.isOver) this.#check(wait);
        return !wait.isOver;
      });
      if (batch.length > 0 && !(await this.refresh(batch))) break;
    }
  }

  /** Approvers pass over what is no ask, so nobody would ever answer it. */
  #check(wait: Wait): void {
    if (wait.isChecked) return;
    try {
      parsePendingAsk(wait.ask);
      wait.isChecked = true;
    } catch (error) {
      this.#handlers.onNoAsk(wait, error);
    }
  }

  #areAllAway(approvers: number): boolean {
    const { requireApprover, clock, times } = this.#settings;
    if (!requireApprover || approvers > 0) {
      this.#absentSinceMs = null;
      return false;
    }
    this.#absentSinceMs ??= clock.now();
    return clock.now() - this.#absentSinceMs >= times.presenceMs;
  }
}
