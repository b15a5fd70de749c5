import type { PermissionGateError } from "@x/permission-core";
import { readAnswerLine } from "./answer-line.js";
import { AskParking } from "./ask-parking.js";
import { AskingScripts, type Consumed, type RefreshedState } from "./asking-scripts.js";
import { BadAnswers } from "./bad-answers.js";
import { FaultReports } from "./fault-reports.js";
import { OpenWaits } from "./open-waits.js";
import type { ChannelSettings } from "./options.js";
import { Outage } from "./outage.js";
import { callEnded, endedElsewhere, unavailable } from "./refusals.js";
import { Rerun } from "./rerun.js";
import { Subscription } from "./subscription.js";
import { Sweep } from "./sweep.js";
import { type UntoldEnding, UntoldEndings } from "./untold-endings.js";
import type { Wait, WaitHandlers } from "./wait.js";
import type { Waiter } from "./waiter.js";

/** How long a wait may last beyond its deadline, to learn whether it was answered in time since the look before it. */
const LAST_LOOK_MS = 500;

/** The waits of one process, kept in step with what Redis holds. Messages only wake: what counts is read from the keys. */
export class WaitingAsks implements WaitHandlers {
  readonly #settings: ChannelSettings;
  readonly #scripts: AskingScripts;
  readonly #subscription: Subscription;
  readonly #outage: Outage;
  readonly #faults: FaultReports;
  readonly #badAnswers: BadAnswers;
  readonly #endings: UntoldEndings;
  readonly #sweep: Sweep;
  readonly #parking: AskParking;
  readonly #waits = new OpenWaits();
  readonly #worker: string;
  #isClosed = false;

  /** `worker`: a name that no other object has. */
  constructor(settings: ChannelSettings, worker: string) {
    this.#settings = settings;
    this.#worker = worker;
    this.#scripts = new AskingScripts(settings);
    this.#outage = new Outage(settings.report, "ask channel: Redis is out of reach; what waits goes on");
    this.#faults = new FaultReports(settings.report);
    this.#endings = new UntoldEndings(settings.clock, (ending) => this.#end(ending));
    this.#sweep = new Sweep(settings, this.#scripts, this.#outage, {
      waits: () => this.#waits.all(),
      isIdle: () => this.#waits.size === 0 && this.#endings.size === 0,
      onClientEnd: () => this.#giveUp(),
      tellEndings: () => this.#tellEndings(),
      onState: (wait, state) => this.#onState(wait, state),
      // Not waited for: others must give their signs of life meanwhile.
      onDoubt: (wait, server) => void this.#parking.renew(wait, server),
      onNoAsk: (wait, error) => this.#refuse(wait, error),
      onNobody: (wait) => this.#refuse(wait, unavailable("every approver has left")),
      onIdle: () => this.#closeIfDone(),
    });
    this.#parking = new AskParking(settings, this.#scripts, {
      attach: (wait, stored) => this.#waits.attach(wait, stored),
      read: (wait) => this.#read(wait),
      refuse: (wait, error) => this.#refuse(wait, error),
      drop: (wait, error) => this.#drop(wait, error),
      takeDown: (wait) => this.takeDown(wait, wait.calledOffAs ?? "cancelled"),
      giveUp: ({ id, token }) => {
        const ending = { id, wait: token, status: "cancelled", isRenewed: true };
        void this.#tellEnding(ending, settings.times.claimMs);
      },
      failed: (error) => this.#failed(error),
      warn: (wait, what, cause) => this.#warn(wait, what, cause),
    });
    this.#badAnswers = new BadAnswers(Math.ceil(settings.times.leaseMs / 3), (wait) =>
      this.#parking.again(wait),
    );
    this.#subscription = new Subscription(settings, `worker:${worker}`, {
      onMessage: (message) => this.#onMessage(message),
      onReady: () => void this.#sweep.now(),
    });
  }

  /** The wait for this ask or this call, if there is one. */
  of(id: string, call: string | null): Wait | undefined {
    return this.#waits.of(id, call);
  }

  /** Parks it, and sees to it until it is over. Somebody must wait for it, and there must be none for the same ask or call. */
  add(wait: Wait): void {
    this.#waits.add(wait);
    this.#subscription.open();
    this.#sweep.later();
    void this.#parking.first(wait);
  }

  /** An answer that was taken in time counts, though nothing may have told of it; Redis is given a moment to say so. */
  async onDeadline(wait: Wait, waiter: Waiter): Promise<void> {
    if (wait.isParked) await Promise.race([this.#readOnce(wait), wait.pause(LAST_LOOK_MS)]);
    wait.expire(waiter);
  }

  refresh(wait: Wait): void {
    if (wait.isParked) this.#sweep.early(wait);
  }

  /** For a wait that is over: nobody can answer its ask any more, once Redis was told. */
  takeDown(wait: Wait, status: string): void {
    this.#remove(wait);
    // Its call runs, and its claim is open until that ends.
    if (wait.isAnswered) return;
    void this.#tellEnding({ id: wait.stored.id, wait: wait.token, status }, this.#settings.times.keepMs);
  }

  /** An answer that was taken does not suffice: its call does not run for it. */
  passOver({ id, token }: { id: string; token: string }): void {
    void this.#tellEnding({ id, wait: token, status: "already_answered" }, this.#settings.times.claimMs);
  }

  /**
   * The call of this ask has ended; `id`: as it is stored, or as it was put; `token`: of the wait that took its answer, null
   * where none here is known to have. Fulfils once Redis was told, or could not be.
   */
  async settle(id: string, token: string | null, status: "cancelled" | "already_answered"): Promise<void> {
    const wait = this.#waits.byId(id);
    if (wait !== undefined) this.#drop(wait, callEnded(id, status));
    const { claimMs, keepMs } = this.#settings.times;
    // Without either, its wait has told its own end: there is nothing to remember, and a later ask of this id may wait.
    const rememberMs = token !== null ? claimMs : wait !== undefined ? keepMs : 0;
    const name = { id: wait?.stored.id ?? id, wait: wait?.token ?? token ?? `${this.#worker}/` };
    await this.#tellEnding({ ...name, status }, rememberMs);
  }

  /** What waits goes on. */
  close(): void {
    this.#isClosed = true;
    this.#closeIfDone();
  }

  async #onState(wait: Wait, state: Exclude<RefreshedState, "pending">): Promise<void> {
    if (wait.isOver) return;
    // Not waited for, as above.
    if (state === "lost" || state === "gone") void this.#parking.anew(wait);
    else if (state === "damaged") this.#drop(wait, unavailable("what is stored under its id is no ask"));
    else if (state === "ended" && wait.isDoubtful)
      this.#drop(wait, endedElsewhere(wait.stored.id, "cancelled"));
    else await this.#read(wait);
  }

  #read(wait: Wait): Promise<void> {
    wait.reader ??= new Rerun(() => this.#readOnce(wait));
    return wait.reader.want();
  }

  async #readOnce(wait: Wait): Promise<void> {
    if (wait.isOver || this.#badAnswers.isHeld(wait)) return;
    const { id } = wait.stored;
    let consumed: Consumed;
    try {
      if (!(await this.#isSure(wait))) return;
      consumed = await this.#scripts.consume(id, wait.token);
      // Another process may have come before it.
      if (consumed.kind === "answer" && !wait.isOver && !(await this.#isSure(wait))) return;
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#outage.worked();
    if (wait.isOver) {
      // Nobody will run this call, so its claim must not stay open.
      if (consumed.kind === "answer") this.takeDown(wait, wait.calledOffAs ?? "cancelled");
      return;
    }
    // It goes on with another ask: nothing that was given to this one counts.
    if (wait.stored.id !== id) return;
    switch (consumed.kind) {
      case "answer":
        return this.#take(wait, consumed.line);
      case "gone":
      case "lost":
        // That tells on which server.
        void this.#sweep.refresh([wait]);
        return;
      case "ended":
        return this.#drop(wait, endedElsewhere(wait.stored.id, consumed.status));
      case "damaged":
        return this.#warn(wait, "its answer cannot be read, and it waits on", consumed.cause);
      case "pending":
    }
  }

  /**
   * Fails closed: whether nobody else can have taken what was given to its ask, or the server would know of that. Where not, it
   * ends or is asked anew. Rejects with code `storage` where Redis does not tell.
   */
  async #isSure(wait: Wait): Promise<boolean> {
    if (!wait.isDoubtful) return true;
    const { server } = await this.#scripts.refresh([]);
    if (wait.isSureOn(server)) return true;
    void this.#sweep.refresh([wait]);
    return false;
  }

  async #take(wait: Wait, line: string): Promise<void> {
    const { id } = wait.stored;
    try {
      const answer = readAnswerLine({ id, args_digest: wait.ask.args_digest }, line, this.#settings.signer);
      // Where the reply to its parking is late, the answer is what tells that it stands there.
      wait.parked();
      this.#remove(wait);
      wait.give(answer);
    } catch (cause) {
      this.#warn(wait, "passed over what is no answer to it; it is put again", cause);
      await this.#badAnswers.passOver(wait);
    }
  }

  #onMessage(message: string): void {
    const probed = new Set<Wait>();
    for (const line of message.split("\n")) {
      const wait = this.#waits.byToken(line.slice(1));
      if (wait === undefined) continue;
      if (line[0] === "!") void this.#read(wait);
      else if (line[0] === "?" && wait.isParked) probed.add(wait);
    }
    if (probed.size > 0) void this.#sweep.refresh([...probed]);
  }

  /** The wait ends with `error`, and so does what may be stored of it. */
  #refuse(wait: Wait, error: unknown): void {
    wait.fail(error);
    this.takeDown(wait, "cancelled");
  }

  /** The wait ends with `error`; nothing of its own is stored. */
  #drop(wait: Wait, error: PermissionGateError): void {
    this.#remove(wait);
    wait.fail(error);
  }

  #remove(wait: Wait): void {
    this.#waits.remove(wait);
    this.#sweep.stopIfIdle();
  }

  async #tellEnding(ending: Omit<UntoldEnding, "untilMs">, ms: number): Promise<void> {
    const told = this.#endings.tell(ending, ms);
    if (!(await told)) this.#sweep.soon();
    this.#sweep.stopIfIdle();
  }

  async #tellEndings(): Promise<boolean> {
    if (!this.#isClosed || this.#waits.size > 0) return this.#endings.tellAgain();
    // A process that closed its side is not kept alive by them.
    await this.#endings.tellAgain(Number.POSITIVE_INFINITY);
    this.#endings.forget();
    return true;
  }

  /** One that Redis refuses would be refused again. */
  async #end({ id, wait, status, isRenewed }: UntoldEnding): Promise<void> {
    const { damage, wasAnswered } = await this.#scripts.end(id, wait, status);
    if (isRenewed && wasAnswered)
      this.#faults.tell(id, "an answer to it is passed over, since it is asked anew", undefined);
    if (damage !== null) this.#faults.tell(id, "its end is not told, since Redis refuses to note it", damage);
  }

  /** A client that was closed, or has given up, tells nothing any more. */
  #giveUp(): void {
    for (const wait of [...this.#waits.all()]) this.#drop(wait, unavailable("the Redis client was closed"));
    this.#endings.forget();
  }

  #closeIfDone(): void {
    if (this.#isClosed && this.#waits.size === 0) this.#subscription.close();
  }

  #failed(error: unknown): void {
    this.#outage.failed(error);
    this.#sweep.soon();
  }

  #warn(wait: Wait, what: string, cause: unknown): void {
    this.#faults.tell(wait.stored.id, what, cause, wait.token);
  }
}
