import { PermissionGateError, parsePendingAsk } from "@x/permission-core";
import { readAnswerLine } from "./answer-line.js";
import { AskingScripts, type Consumed, type Parked, type ParkMode } from "./asking-scripts.js";
import { callName } from "./call-name.js";
import type { ChannelSettings } from "./options.js";
import { Outage } from "./outage.js";
import { Rerun } from "./rerun.js";
import { readStoredAsk } from "./stored-ask.js";
import { Subscription } from "./subscription.js";
import { Sweep } from "./sweep.js";
import { UntoldEndings } from "./untold-endings.js";
import type { Wait } from "./wait.js";

/** How long somebody who holds a call is first given to give a sign of life. */
const FIRST_PROBE_MS = 20;

/** The waits of one process, kept in step with what Redis holds. Messages only wake: what counts is read from the keys. */
export class WaitingAsks {
  readonly #settings: ChannelSettings;
  readonly #worker: string;
  readonly #scripts: AskingScripts;
  readonly #subscription: Subscription;
  readonly #outage: Outage;
  readonly #endings: UntoldEndings;
  readonly #sweep: Sweep;
  /** by the id of the ask as it is stored */
  readonly #waits = new Map<string, Wait>();
  readonly #calls = new Map<string, Wait>();
  readonly #tokens = new Map<string, Wait>();
  #isClosed = false;

  /** `worker`: a name that no other object has. */
  constructor(settings: ChannelSettings, worker: string) {
    this.#settings = settings;
    this.#worker = worker;
    this.#scripts = new AskingScripts(settings);
    this.#outage = new Outage(settings.report, "ask channel: Redis is out of reach; what waits goes on");
    this.#endings = new UntoldEndings(settings.clock, ({ id, wait, status }) =>
      this.#scripts.end(id, wait, status),
    );
    this.#sweep = new Sweep(settings, this.#scripts, this.#outage, {
      waits: () => this.#waits.values(),
      isIdle: () => this.#waits.size === 0 && this.#endings.size === 0,
      tellEndings: () => this.#tellEndings(),
      onState: (wait, state) => this.#onState(wait, state),
      check: (wait) => this.#check(wait),
      onNobody: (wait) => this.#refuse(wait, unavailable("every approver has left")),
      onIdle: () => this.#closeIfDone(),
    });
    this.#subscription = new Subscription(settings, `worker:${worker}`, {
      onMessage: (message) => this.#onMessage(message),
      onReady: () => void this.#sweep.now(),
    });
  }

  /** Parks it, and sees to it until it is over. */
  add(wait: Wait): void {
    const { id } = wait.stored;
    if (this.#waits.has(id) || (wait.call !== null && this.#calls.has(wait.call))) {
      wait.fail(alreadyWaiting(wait));
      return;
    }
    this.#waits.set(id, wait);
    this.#tokens.set(wait.token, wait);
    if (wait.call !== null) this.#calls.set(wait.call, wait);
    this.#subscription.open();
    this.#sweep.later();
    void this.#parkFirst(wait);
  }

  /** For a wait that is over: nobody can answer its ask any more, once Redis was told. */
  takeDown(wait: Wait, status: string): void {
    this.#remove(wait);
    // Its call runs, and its claim is open until that ends.
    if (wait.isAnswered) return;
    void this.#tellEnding({ id: wait.stored.id, wait: wait.token, status }, this.#settings.times.keepMs);
  }

  /** The call of this ask has ended. Fulfils once Redis was told, or could not be. */
  async settle(id: string, status: "cancelled" | "already_answered"): Promise<void> {
    const wait = this.#waits.get(id);
    if (wait !== undefined) {
      this.#remove(wait);
      const code = status === "cancelled" ? "ask_cancelled" : "ask_answered";
      wait.fail(new PermissionGateError(code, `ask ${id}: its call has ended`));
    }
    await this.#tellEnding(
      { id, wait: wait?.token ?? `${this.#worker}/`, status },
      this.#settings.times.claimMs,
    );
  }

  /** What waits goes on. */
  close(): void {
    this.#isClosed = true;
    this.#closeIfDone();
  }

  async #parkFirst(wait: Wait): Promise<void> {
    const { requireApprover, times } = this.#settings;
    const mode = requireApprover ? "demand" : "find";
    let seenLease: string | null = null;
    let probeMs = FIRST_PROBE_MS;
    while (!wait.isOver) {
      let parked: Parked;
      try {
        parked = await this.#scripts.park(wait.parking(), mode);
      } catch (cause) {
        // It may have been stored before the answer of Redis was lost.
        if (wait.isOver) this.takeDown(wait, wait.calledOffAs ?? "cancelled");
        else this.#refuse(wait, unavailable("Redis did not store it", cause));
        return;
      }
      if (parked.kind !== "held") return this.#onParked(wait, parked);
      if (parked.lease === "" || (seenLease !== null && parked.lease !== seenLease)) break;
      seenLease = parked.lease;
      await wait.pause(probeMs);
      probeMs = Math.min(2 * probeMs, Math.ceil(times.leaseMs / 4));
    }
    this.#drop(wait, alreadyWaiting(wait));
  }

  /** Stores an ask again that Redis has lost, or whose answer was none. Where that fails, the sweep tries again. */
  async #parkAgain(wait: Wait, mode: ParkMode): Promise<void> {
    let parked: Parked;
    try {
      parked = await this.#scripts.park(wait.parking(), mode);
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (parked.kind === "held") this.#drop(wait, alreadyWaiting(wait));
    else await this.#onParked(wait, parked);
  }

  async #onParked(wait: Wait, parked: Exclude<Parked, { kind: "held" }>): Promise<void> {
    if (parked.kind === "nobody") return this.#drop(wait, unavailable("no approver is there"));
    if (parked.kind === "attached") {
      if (!this.#isSameCall(wait, parked)) return this.#parkAgain(wait, "fresh");
      if (this.#waits.get(wait.stored.id) === wait) {
        this.#waits.delete(wait.stored.id);
        this.#waits.set(parked.id, wait);
      }
      wait.stored = { id: parked.id, text: parked.stored };
    }
    // It was called off while it was stored: the end may have come to Redis before the ask.
    if (wait.isOver) return this.takeDown(wait, wait.calledOffAs ?? "cancelled");
    wait.isParked = true;
    if (parked.kind === "attached") await this.#read(wait);
  }

  /** Whoever can write to Redis can say that any ask is the one of this call. */
  #isSameCall(wait: Wait, found: { id: string; stored: string }): boolean {
    try {
      const ask = readStoredAsk(found.stored, this.#settings.signer);
      if (ask.id === found.id && callName(ask) === wait.call) return true;
      throw new PermissionGateError("bad_record", `ask: ${found.id} is not about this call`);
    } catch (cause) {
      this.#warn(wait, "what is stored for its call is no ask about it; it is put anew", cause);
      return false;
    }
  }

  /** Approvers pass over what is no ask, so nobody would ever answer it. */
  #check(wait: Wait): void {
    if (wait.isChecked) return;
    try {
      parsePendingAsk(wait.ask);
      wait.isChecked = true;
    } catch (error) {
      wait.fail(error);
      this.takeDown(wait, "cancelled");
    }
  }

  async #onState(wait: Wait, state: "read" | "gone" | "lost" | "damaged"): Promise<void> {
    if (wait.isOver) return;
    if (state === "lost") this.#drop(wait, alreadyWaiting(wait));
    else if (state === "damaged") this.#drop(wait, unavailable("what is stored under its id is no ask"));
    else await this.#read(wait);
  }

  #read(wait: Wait): Promise<void> {
    wait.reader ??= new Rerun(() => this.#readOnce(wait));
    return wait.reader.want();
  }

  async #readOnce(wait: Wait): Promise<void> {
    if (wait.isOver) return;
    let consumed: Consumed;
    try {
      consumed = await this.#scripts.consume(wait.stored.id, wait.token);
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#outage.worked();
    if (wait.isOver) {
      // Nobody will run this call, so its claim must not stay open.
      if (consumed.kind === "answer") this.takeDown(wait, "already_answered");
      return;
    }
    switch (consumed.kind) {
      case "answer":
        return this.#take(wait, consumed.line);
      case "gone":
        return this.#parkAgain(wait, "find");
      case "lost":
        return this.#drop(wait, alreadyWaiting(wait));
      case "ended":
        return this.#drop(wait, endedElsewhere(wait, consumed.status));
      case "pending":
    }
  }

  async #take(wait: Wait, line: string): Promise<void> {
    const { id } = wait.stored;
    try {
      const answer = readAnswerLine({ id, args_digest: wait.ask.args_digest }, line, this.#settings.signer);
      this.#remove(wait);
      wait.give(answer);
    } catch (cause) {
      this.#warn(wait, "passed over what is no answer to it; it is put again", cause);
      await this.#parkAgain(wait, "again");
    }
  }

  #onMessage(message: string): void {
    for (const line of message.split("\n")) {
      const wait = this.#tokens.get(line.slice(1));
      if (wait === undefined) continue;
      if (line[0] === "!") void this.#read(wait);
      else if (line[0] === "?" && wait.isParked) void this.#sweep.refresh([wait]);
    }
  }

  /** The wait ends with `error`, and so does what may be stored of it. */
  #refuse(wait: Wait, error: PermissionGateError): void {
    wait.fail(error);
    this.takeDown(wait, "cancelled");
  }

  /** The wait ends with `error`; nothing of its own is stored. */
  #drop(wait: Wait, error: PermissionGateError): void {
    this.#remove(wait);
    wait.fail(error);
  }

  #remove(wait: Wait): void {
    if (this.#waits.get(wait.stored.id) === wait) this.#waits.delete(wait.stored.id);
    this.#tokens.delete(wait.token);
    if (wait.call !== null && this.#calls.get(wait.call) === wait) this.#calls.delete(wait.call);
    this.#sweep.stopIfIdle();
  }

  async #tellEnding(ending: { id: string; wait: string; status: string }, ms: number): Promise<void> {
    const told = this.#endings.tell(ending, ms);
    if (!(await told)) this.#sweep.soon();
    this.#sweep.stopIfIdle();
  }

  async #tellEndings(): Promise<boolean> {
    const wereTold = await this.#endings.tellAgain();
    // A process that closed its side is not kept alive by them.
    if (this.#isClosed && this.#waits.size === 0) this.#endings.forget();
    return wereTold;
  }

  #closeIfDone(): void {
    if (this.#isClosed && this.#waits.size === 0) this.#subscription.close();
  }

  #failed(error: unknown): void {
    this.#outage.failed(error);
    this.#sweep.soon();
  }

  #warn(wait: Wait, what: string, cause: unknown): void {
    this.#settings.report({ level: "warn", message: `ask ${wait.stored.id}: ${what}`, cause });
  }
}

function unavailable(why: string, cause?: unknown): PermissionGateError {
  return new PermissionGateError("ask_unavailable", `the ask cannot be put: ${why}`, { cause });
}

function alreadyWaiting(wait: Wait): PermissionGateError {
  return new PermissionGateError(
    "already_waiting",
    `ask ${wait.ask.id}: somebody else waits for the same call`,
  );
}

function endedElsewhere(wait: Wait, status: string): PermissionGateError {
  const code = status === "expired" ? "ask_expired" : "ask_unavailable";
  return new PermissionGateError(code, `ask ${wait.stored.id} was ended in Redis`);
}
