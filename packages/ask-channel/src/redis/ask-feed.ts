import { type PendingAsk, PermissionGateError } from "@x/permission-core";
import { copyAsk } from "../copy-ask.js";
import type { AnsweringScripts, ListedAsk } from "./answering-scripts.js";
import { AskQueue } from "./ask-queue.js";
import { FaultReports } from "./fault-reports.js";
import type { ChannelSettings } from "./options.js";
import type { Outage } from "./outage.js";
import { readStoredAsk } from "./stored-ask.js";
import { Subscription } from "./subscription.js";

const DIGITS = /^\d+$/;

const TICKS_UNTIL_ALL = 12;

/** How soon everything is read again after it could not be. */
const RETRY_MS = 500;

/**
 * Fills an approver's queue: from the list when it begins to listen and each time that it listens again, and from notices in
 * between. A notice is not trusted further than to be shown: an answer counts only if the ask stands in Redis as it was shown.
 */
export class AskFeed {
  readonly queue = new AskQueue();
  readonly #settings: ChannelSettings;
  readonly #scripts: AnsweringScripts;
  readonly #outage: Outage;
  readonly #subscription: Subscription;
  readonly #faults: FaultReports;
  /** notices that came while asks were listed; null while none are */
  #held: string[] | null = null;
  #listings = 0;
  #ticks = 0;
  /** what is known may have ended, or not be all, until everything was read */
  #isStale = true;
  #isClosed = false;
  #retry: { cancel(): void } | null = null;
  /** the place of the latest ask that is known */
  #latest: string | null = null;

  /** `onReady`: it listens, or listens again. */
  constructor(settings: ChannelSettings, scripts: AnsweringScripts, outage: Outage, onReady: () => void) {
    this.#settings = settings;
    this.#scripts = scripts;
    this.#outage = outage;
    this.#faults = new FaultReports(settings.report);
    this.#subscription = new Subscription(settings, "asks", {
      onMessage: (message) => this.#onMessage(message),
      onReady: () => {
        onReady();
        void this.readAnew();
      },
      onLost: () => {
        this.#isStale = true;
        this.queue.pause();
      },
    });
  }

  /** Listens from now on. */
  open(): void {
    this.#subscription.open();
  }

  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#retry = null;
    this.#subscription.close();
    this.queue.close();
  }

  /** Every ask that waits, oldest first; the queue knows them all afterwards, and no others. */
  async list(): Promise<PendingAsk[]> {
    const before = this.queue.all();
    const asks = await this.#read(null);
    const listed = new Set(asks.map(({ id }) => id));
    for (const known of before) if (!listed.has(known.ask.id)) this.queue.forget(known);
    return asks;
  }

  /**
   * Reads what was parked since, in case that a notice was lost; now and then everything, in case that asks have expired
   * with their workers.
   */
  async catchUp(): Promise<void> {
    this.#ticks += 1;
    if (this.#isStale || this.#latest === null || this.#ticks % TICKS_UNTIL_ALL === 0) return this.readAnew();
    await this.#try(() => this.#read(this.#latest));
  }

  /** Reads everything; readers are served from then on. Where that fails, it is tried again soon, until it has worked. */
  readAnew(): Promise<void> {
    return this.#try(async () => {
      this.#isStale = true;
      await this.list();
      this.#isStale = false;
    });
  }

  async #try(read: () => Promise<unknown>): Promise<void> {
    try {
      await read();
      if (!this.#isStale) this.queue.goLive();
    } catch (error) {
      this.#outage.failed(error);
      // A client that was closed, or has given up, reads nothing any more.
      if (this.#settings.redis.status === "end") this.queue.fail(error);
      else this.#readAnewSoon();
    }
  }

  #readAnewSoon(): void {
    if (this.#isClosed) return;
    this.#retry ??= this.#settings.clock.setTimer(() => {
      this.#retry = null;
      void this.readAnew();
    }, RETRY_MS);
  }

  /**
   * The ask that was read under `id`, or came as a notice where that is null. Null for what is no ask of this channel: that is
   * passed over, and reported once.
   */
  admissible(id: string | null, stored: string): PendingAsk | null {
    try {
      const ask = readStoredAsk(stored, this.#settings.signer);
      if (id === null || ask.id === id) return ask;
      throw new PermissionGateError("bad_record", "ask: it is stored under another id than its own");
    } catch (cause) {
      this.#faults.tell(id ?? "of a notice", "passed over, since it is no ask of this channel", cause);
      return null;
    }
  }

  async #read(after: string | null): Promise<PendingAsk[]> {
    this.#held ??= [];
    this.#listings += 1;
    const asks: PendingAsk[] = [];
    try {
      for (const listed of await this.#scripts.list(after)) {
        const ask = this.#admit(listed);
        if (ask !== null) asks.push(copyAsk(ask));
      }
      this.#outage.worked();
    } finally {
      this.#listings -= 1;
      if (this.#listings === 0) this.#release();
    }
    return asks;
  }

  /** What was parked meanwhile comes after what was listed. */
  #release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const message of held) this.#onMessage(message);
  }

  #onMessage(message: string): void {
    if (this.#held !== null) this.#held.push(message);
    else for (const line of message.split("\n")) this.#onNotice(line);
  }

  #onNotice(line: string): void {
    if (line.startsWith("+")) {
      const end = line.indexOf(" ");
      const place = line.slice(1, end);
      if (DIGITS.test(place)) this.#admit({ id: null, place, stored: line.slice(end + 1) });
    } else if (line.startsWith("-")) {
      const id = idIn(line.slice(1));
      const known = id === null ? undefined : this.queue.of(id);
      if (known !== undefined) this.queue.forget(known);
    }
  }

  #admit(listed: Omit<ListedAsk, "id"> & { id: string | null }): PendingAsk | null {
    const ask = this.admissible(listed.id, listed.stored);
    if (ask === null) return null;
    this.#latest = listed.place;
    this.queue.add(ask, listed.stored, listed.id !== null);
    return ask;
  }
}

/** Null for what is no text in JSON. */
function idIn(json: string): string | null {
  try {
    const id: unknown = JSON.parse(json);
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
