import { displaySafe, PermissionGateError } from "@x/permission-core";
import type { AskingScripts, Parked, ParkMode, Seen } from "./asking-scripts.js";
import { callName } from "./call-name.js";
import type { ChannelSettings } from "./options.js";
import { alreadyWaiting, unavailable } from "./refusals.js";
import { readStoredAsk, renewStoredAsk } from "./stored-ask.js";
import type { Wait } from "./wait.js";

/** How long somebody who holds a call is first given to give a sign of life. */
const FIRST_PROBE_MS = 20;

/** Within which part of the time that it has an ask is stored: what comes later is put to nobody who could answer it. */
const STORED_WITHIN = 0.9;

/** What becomes of waits that are put to Redis. */
export interface ParkingHandlers {
  /** it goes on with another ask than its own */
  attach(wait: Wait, stored: { id: string; text: string }): void;
  /** reads what became of it */
  read(wait: Wait): Promise<void>;
  /** ends it; what may be stored of it is taken down */
  refuse(wait: Wait, error: PermissionGateError): void;
  /** ends it; nothing of its own is stored */
  drop(wait: Wait, error: PermissionGateError): void;
  /** it is over, and may be stored */
  takeDown(wait: Wait): void;
  /** nothing counts that came, or comes, of the ask that it had before */
  giveUp(before: { id: string; token: string }): void;
  /** Redis could not be reached; the sweep will see to it */
  failed(error: unknown): void;
  warn(wait: Wait, what: string, cause: unknown): void;
}

/** Puts asks to Redis, so that approvers see them, or goes on with those that earlier processes left for the same calls. */
export class AskParking {
  readonly #settings: ChannelSettings;
  readonly #scripts: AskingScripts;
  readonly #handlers: ParkingHandlers;
  /** those that are put anew at the moment */
  readonly #underWay = new WeakSet<Wait>();

  constructor(settings: ChannelSettings, scripts: AskingScripts, handlers: ParkingHandlers) {
    this.#settings = settings;
    this.#scripts = scripts;
    this.#handlers = handlers;
  }

  /** The ask is new. */
  async first(wait: Wait): Promise<void> {
    const mode = this.#settings.requireApprover ? "demand" : "find";
    let parked: Parked;
    try {
      parked = await this.#parkOnceFree(wait, mode, wait.stored.id, (parking) => this.#inTime(wait, parking));
    } catch (cause) {
      // It may have been stored before the answer of Redis was lost.
      if (wait.isOver) this.#handlers.takeDown(wait);
      else this.#handlers.refuse(wait, unavailable("Redis did not store it", cause));
      return;
    }
    await this.#onParked(wait, parked);
  }

  /**
   * Another process may have gone on with its ask and run the call, of which `server` may know nothing. An answer to it may still
   * come, once more: so it is asked under another id.
   */
  async renew(wait: Wait, server: string): Promise<void> {
    if (wait.isOver || this.#underWay.has(wait)) return;
    const before = { id: wait.stored.id, token: wait.token };
    this.#handlers.attach(wait, renewStoredAsk(wait.ask, this.#settings.signer));
    wait.renew(server);
    this.#handlers.giveUp(before);
    await this.anew(wait, before.id);
  }

  /**
   * Redis has lost the ask, or says that another wait has it, of which it may have lost that it is over; `id`: of the ask that the
   * wait had before.
   */
  async anew(wait: Wait, id: string = wait.stored.id): Promise<void> {
    if (this.#underWay.has(wait)) return;
    this.#underWay.add(wait);
    try {
      const mode = wait.isRenewed ? "renew" : "find";
      await this.#onParked(wait, await this.#parkOnceFree(wait, mode, id, (parking) => parking));
    } catch (error) {
      if (wait.isOver) this.#handlers.takeDown(wait);
      else this.#handlers.failed(error);
    } finally {
      this.#underWay.delete(wait);
    }
  }

  /** Its answer was none. */
  async again(wait: Wait): Promise<void> {
    await this.#parkNow(wait, "again");
  }

  async #parkNow(wait: Wait, mode: ParkMode): Promise<void> {
    const { id } = wait.stored;
    let parked: Parked;
    try {
      parked = await this.#park(wait, mode, null);
    } catch (error) {
      this.#handlers.failed(error);
      return;
    }
    if (wait.stored.id !== id) return;
    await this.#onParked(wait, parked);
  }

  /**
   * Where somebody else has the call, they are given time to show that they live: until their lease has run out, or has not
   * changed for as long by this process's own timers, whatever the clock of Redis says. Gives `held` where they do, or have
   * taken its answer; `id`: of the ask that the wait had before. An ask that was parked here before is listed: called off
   * meanwhile, it is still to be taken from whoever is gone, so that it can be taken down.
   */
  async #parkOnceFree(
    wait: Wait,
    mode: ParkMode,
    id: string,
    within: (parking: Promise<Parked>) => Promise<Parked>,
  ): Promise<Parked> {
    const { leaseMs } = this.#settings.times;
    // Nobody but another wait of the call can have taken the answer to an ask that was parked here before.
    let seen = wait.isParked ? { lease: "", id, isStale: false } : null;
    let probeMs = FIRST_PROBE_MS;
    let unchangedMs = 0;
    for (;;) {
      const parked = await within(this.#park(wait, mode, seen));
      if (parked.kind !== "held" || parked.lease === "") return parked;
      const isNew = seen === null || seen.lease === "" || parked.id !== seen.id;
      if (!isNew && Number(parked.lease) > Number(seen?.lease)) return parked;
      // An earlier one than was seen is no sign of life: Redis has come back with older state.
      if (isNew || parked.lease !== seen?.lease) unchangedMs = 0;
      const isListed = () => wait.isParked && (!wait.isOver || wait.calledOffAs !== null);
      await (isListed() ? this.#sleep(probeMs) : wait.pause(probeMs));
      if (wait.isOver && !isListed()) return parked;
      unchangedMs += probeMs;
      seen = { lease: parked.lease, id: parked.id, isStale: unchangedMs >= leaseMs };
      probeMs = Math.min(2 * probeMs, Math.ceil(leaseMs / 4));
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#settings.clock.setTimer(resolve, ms));
  }

  async #park(wait: Wait, mode: ParkMode, seen: Seen | null): Promise<Parked> {
    const askedAtMs = performance.now();
    const parked = await this.#scripts.park(wait.parking(), mode, seen);
    if ("server" in parked) wait.confirm(parked.server, askedAtMs);
    return parked;
  }

  /** Refuses the wait shortly before its deadline, by which it would seem that somebody was asked, and did not answer. */
  async #inTime(wait: Wait, parking: Promise<Parked>): Promise<Parked> {
    let stop = () => {};
    const watch = () => {
      const { leftMs, untilMs } = wait;
      if (leftMs === Number.POSITIVE_INFINITY) return;
      const giveUp = () => {
        if (wait.untilMs > untilMs) watch();
        else if (!wait.isOver) this.#handlers.refuse(wait, unavailable("Redis did not store it in time"));
      };
      const timer = this.#settings.clock.setTimer(giveUp, Math.max(Math.floor(leftMs * STORED_WITHIN), 0));
      stop = () => timer.cancel();
    };
    watch();
    try {
      return await parking;
    } finally {
      stop();
    }
  }

  async #onParked(wait: Wait, parked: Parked): Promise<void> {
    if (parked.kind === "held") return this.#handlers.drop(wait, alreadyWaiting(wait.ask.id));
    if (parked.kind === "nobody") return this.#handlers.drop(wait, unavailable("no approver is there"));
    if (parked.kind === "attached") {
      if (!this.#isSameCall(wait, parked)) return this.#parkNow(wait, "fresh");
      this.#handlers.attach(wait, { id: parked.id, text: parked.stored });
    }
    // It was called off while it was stored: the end may have come to Redis before the ask.
    if (wait.isOver) return this.#handlers.takeDown(wait);
    wait.parked();
    if (parked.kind === "attached") await this.#handlers.read(wait);
  }

  /** Whoever can write to Redis can say that any ask is the one of this call. */
  #isSameCall(wait: Wait, found: { id: string; stored: string }): boolean {
    try {
      const ask = readStoredAsk(found.stored, this.#settings.signer);
      if (ask.id === found.id && callName(ask) === wait.call) return true;
      throw new PermissionGateError(
        "bad_record",
        `ask: ${displaySafe(found.id).text} is not about this call`,
      );
    } catch (cause) {
      this.#handlers.warn(wait, "what is stored for its call is no ask about it; it is put anew", cause);
      return false;
    }
  }
}
