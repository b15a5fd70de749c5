import {
  type AnswerStatus,
  type AskAnswer,
  type AskResolution,
  type DispatchOutcome,
  onAbort,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import { type AskEnding, AskEndings, type RepeatableAnswer } from "./ask-endings.js";
import type { AskSink } from "./ask-sink.js";
import { copyAsk } from "./copy-ask.js";
import { decideAnswer, statusOfAbort } from "./decide-answer.js";
import { Fifo, type FifoEntry } from "./fifo.js";
import { answerText, readAnswer } from "./read-answer.js";

/** How many ended asks are remembered, so that a late answer learns how its ask ended. */
const REMEMBERED_ENDINGS = 1_000;

/** What an approval channel holds at this moment. */
export interface ChannelLoad {
  /** asks that wait for an answer, delivered or not */
  waiting: number;
  /** of these: in the queue, to be delivered next; at most the channel's capacity */
  queued: number;
  /** of these: behind a full queue, in order, until there is room */
  waitingForRoom: number;
  /** calls of `nextPending` that wait for an ask */
  readers: number;
}

interface Wait {
  readonly ask: PendingAsk;
  readonly sink: AskSink;
  unsubscribe: () => void;
  /** Its place among the asks not delivered yet. */
  place: FifoEntry<Wait> | null;
}

interface Reader {
  readonly deliver: (ask: PendingAsk | null) => void;
}

/**
 * What the two sides of a channel share. It knows neither of them, so either can be collected. Every method decides at
 * the moment it is called: of an answer, an abort and a close in one turn of the loop, the first one called wins.
 */
export class ChannelHub {
  readonly #capacity: number;
  readonly #waiting = new Map<string, Wait>();
  readonly #undelivered = new Fifo<Wait>();
  readonly #readers = new Fifo<Reader>();
  readonly #endings = new AskEndings(REMEMBERED_ENDINGS);
  #resolverClosed = false;
  #approverClosed = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  load(): ChannelLoad {
    const undelivered = this.#undelivered.size;
    return {
      waiting: this.#waiting.size,
      queued: Math.min(undelivered, this.#capacity),
      waitingForRoom: Math.max(undelivered - this.#capacity, 0),
      readers: this.#readers.size,
    };
  }

  /** Whether the asking side may still park something. */
  get isFed(): boolean {
    return !this.#resolverClosed;
  }

  /** The promise is the one that the answer settles, with no further turn of the microtask queue in between. */
  park(pending: PendingAsk, signal: AbortSignal): Promise<AskResolution | AskAnswer> {
    const answered = new Promise<AskResolution | AskAnswer>((answer, fail) => {
      this.put(pending, signal, { answer, fail });
    });
    // A caller whose wait ended otherwise has stopped listening: its rejection is no accident that a host should hear of.
    answered.catch(() => {});
    return answered;
  }

  /** The same without a promise: `sink` hears of the end as it happens. */
  put(pending: PendingAsk, signal: AbortSignal, sink: AskSink): void {
    if (signal.aborted) sink.fail(signal.reason);
    else if (this.#waiting.has(pending.id)) sink.fail(unavailable(`ask ${pending.id} is already waiting`));
    else if (this.#approverClosed) {
      this.#endings.remember(pending.id, { status: "already_answered", argsDigest: pending.args_digest });
      sink.answer("Deny");
    } else if (this.#resolverClosed) {
      sink.fail(unavailable("the approval channel was closed by its asking side"));
    } else this.#admit({ ask: copyAsk(pending), sink, unsubscribe: () => {}, place: null }, signal);
  }

  answer(
    named: { id: string; argsDigest: string | null },
    answer: AskResolution | AskAnswer,
    answerId?: string,
  ): AnswerStatus {
    const given = readAnswer(answer);
    const repeatable = answerId === undefined ? undefined : { answerId, text: answerText(given) };
    const wait = this.#waiting.get(named.id);
    const decision = decideAnswer(
      { waitingDigest: wait?.ask.args_digest, ending: this.#endings.get(named.id) },
      { argsDigest: named.argsDigest, repeatable },
    );
    if (decision.kind === "inert") return decision.status;
    if (wait === undefined) return "unknown";
    this.#end(wait, "already_answered", repeatable);
    wait.sink.answer(given);
    return "delivered";
  }

  list(): PendingAsk[] {
    return Array.from(this.#waiting.values(), (wait) => copyAsk(wait.ask));
  }

  nextPending(signal: AbortSignal | undefined): Promise<PendingAsk | null> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const wait = this.#undelivered.shift();
    if (wait !== undefined) return Promise.resolve(copyAsk(wait.ask));
    if (this.#approverClosed || this.#resolverClosed) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      let unsubscribe = () => {};
      const place = this.#readers.push({
        deliver: (ask) => {
          unsubscribe();
          resolve(ask);
        },
      });
      if (signal === undefined) return;
      unsubscribe = onAbort(signal, () => {
        this.#readers.remove(place);
        reject(signal.reason);
      });
    });
  }

  /** The call that this ask was about has ended, so nobody will read an answer any more. */
  settled(id: string, outcome: DispatchOutcome): void {
    const wait = this.#waiting.get(id);
    if (wait === undefined) return;
    const cancelled = outcome === "cancelled" || outcome === "stopped";
    this.#end(wait, cancelled ? "cancelled" : "already_answered");
    wait.sink.fail(
      new PermissionGateError(cancelled ? "ask_cancelled" : "ask_answered", `ask ${id}: its call has ended`),
    );
  }

  /** Nothing new is parked; what waits goes on. */
  closeResolver(): void {
    if (this.#resolverClosed) return;
    this.#resolverClosed = true;
    this.#dismissReaders();
  }

  /** Denies all that wait and all that come; gives the number denied now. */
  closeApprover(): number {
    this.#approverClosed = true;
    let denied = 0;
    // One denial may end other waits, by what hears of it; those are not denied any more.
    for (let wait = this.#oldest(); wait !== null; wait = this.#oldest()) {
      denied += 1;
      this.#end(wait, "already_answered");
      wait.sink.answer("Deny");
    }
    this.#dismissReaders();
    return denied;
  }

  #oldest(): Wait | null {
    for (const wait of this.#waiting.values()) return wait;
    return null;
  }

  #admit(wait: Wait, signal: AbortSignal): void {
    this.#waiting.set(wait.ask.id, wait);
    wait.unsubscribe = onAbort(signal, () => {
      this.#end(wait, statusOfAbort(signal.reason));
      wait.sink.fail(signal.reason);
    });
    const reader = this.#readers.shift();
    if (reader === undefined) wait.place = this.#undelivered.push(wait);
    else reader.deliver(copyAsk(wait.ask));
  }

  #end(wait: Wait, status: AskEnding["status"], answer?: RepeatableAnswer): void {
    this.#waiting.delete(wait.ask.id);
    if (wait.place !== null) this.#undelivered.remove(wait.place);
    wait.unsubscribe();
    this.#endings.remember(wait.ask.id, {
      status,
      argsDigest: wait.ask.args_digest,
      ...(answer && { answer }),
    });
  }

  #dismissReaders(): void {
    for (let reader = this.#readers.shift(); reader !== undefined; reader = this.#readers.shift())
      reader.deliver(null);
  }
}

function unavailable(message: string): PermissionGateError {
  return new PermissionGateError("ask_unavailable", message);
}
