import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  type Clock,
  isPermissionGateError,
  onAbort,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import { type AskSink, putAsk } from "../ask-sink.js";
import { copyAsk } from "../copy-ask.js";
import { type AskName, putTelling, type TellingContext } from "../tells-parked.js";
import type { RoundLog } from "./asked-members.js";
import { isInteractive } from "./member.js";
import { type MemberOutcome, outcomeOfError, unavailable } from "./member-outcome.js";

/** How many turns of the microtask queue an answer that was given before the deadline has to come through. */
const SETTLING_TURNS = 64;

interface OpenMember {
  readonly controller: AbortController;
  /** null once nothing that it says counts, so that a member that never settles holds nothing of the round */
  hear: ((outcome: MemberOutcome) => void) | null;
  /** told what an answer to the member must name; null as `hear` is, and where nobody wants to know */
  tell: ((stored: AskName) => void) | null;
  /** by which it can be answered, as far as it told */
  id: string | null;
}

/**
 * One ask of one composition, from the moment it is put until its end, of which there is exactly one. The end takes
 * everything down at once: timers, the subscription to the outer signal, and every member still asked, whose signal fires.
 *
 * A cancel ends it on the spot. A deadline is passed on to the members at once, so that none of them accepts an answer
 * any more, and then answers that were accepted before have their turns to come through.
 */
export class Round {
  readonly pending: PendingAsk;
  readonly isNonInteractive: boolean;
  readonly #sink: AskSink;
  readonly #log: RoundLog;
  /** to be told what an answer to a member must name */
  readonly #onParked: ((stored: AskName) => void) | undefined;
  /** the ids that it was told: most members know the ask by the same */
  #told: Set<string> | null = null;
  readonly #open = new Set<OpenMember>();
  readonly #timers = new Set<{ cancel(): void }>();
  readonly #unsubscribe: () => void;
  #phase: "open" | "closing" | "ended" = "open";
  /** why it is closing */
  #expiry: unknown;

  /** The outer signal must not have fired yet. */
  constructor(pending: PendingAsk, context: TellingContext, sink: AskSink, log: RoundLog) {
    const { signal, isNonInteractive, onParked } = context;
    this.pending = pending;
    this.isNonInteractive = isNonInteractive;
    this.#sink = sink;
    this.#log = log;
    this.#onParked = onParked;
    this.#unsubscribe = onAbort(signal, () => {
      if (isPermissionGateError(signal.reason, "ask_expired")) this.expire(signal.reason);
      else this.stop(signal.reason);
    });
  }

  /** Whether there is somebody whom this member could ask. */
  canAsk(member: AskResolver): boolean {
    return !this.isNonInteractive || !isInteractive(member);
  }

  /** Puts the ask to a member, unless the round is over. `take` is called at most once, possibly before this returns. */
  ask(member: AskResolver, take: (outcome: MemberOutcome) => void, pending = this.pending): void {
    if (this.#phase !== "open") return;
    if (!this.canAsk(member)) {
      take({ kind: "unattended", error: unavailable("this run is unattended") });
      return;
    }
    const open: OpenMember = {
      controller: new AbortController(),
      hear: (outcome) => {
        this.#open.delete(open);
        silence(open);
        if (outcome.kind === "answer") this.#log.answered(member, outcome.answer);
        if (outcome.kind === "answer" || this.#phase === "open") this.#run(() => take(outcome));
        this.#closeWhenAllAreHeard();
      },
      tell: this.#onParked === undefined ? null : (stored) => this.#run(() => this.#tell(open, stored)),
      id: null,
    };
    this.#open.add(open);
    this.#log.asked(member);
    const context = { signal: open.controller.signal, isNonInteractive: this.isNonInteractive };
    if (this.#onParked === undefined) putAsk(member, copyAsk(pending), context, hearing(open));
    else putTelling(member, copyAsk(pending), { ...context, onParked: telling(open) }, hearing(open));
  }

  /** Calls back after `delayMs`, unless the round ends before. */
  timer(clock: Clock, callback: () => void, delayMs: number): void {
    if (this.#phase !== "open") return;
    const timer = clock.setTimer(() => {
      this.#timers.delete(timer);
      this.#run(callback);
    }, delayMs);
    this.#timers.add(timer);
  }

  answer(answer: AskResolution | AskAnswer): void {
    this.#end(
      () => this.#otherAnswered(),
      () => this.#sink.answer(answer),
    );
  }

  /** Ends without an answer. */
  fail(error: unknown): void {
    this.#end(
      () => this.#withdrawal(error),
      () => this.#sink.fail(error),
    );
  }

  /** Ends at once, with this reason for everybody. */
  stop(reason: unknown): void {
    this.#end(
      () => reason,
      () => this.#sink.fail(reason),
    );
  }

  /** Ends with `reason`, of code `ask_expired`, unless an answer has been given already. */
  expire(reason: unknown): void {
    if (this.#phase !== "open") return;
    this.#phase = "closing";
    this.#expiry = reason;
    this.#release();
    for (const { controller } of [...this.#open]) controller.abort(reason);
    this.#closeWhenAllAreHeard();
    if (this.#phase === "closing") afterTurns(SETTLING_TURNS, () => this.stop(reason));
  }

  #tell(member: OpenMember, { instead, ...stored }: AskName): void {
    member.id = stored.id;
    this.#told ??= new Set();
    if (this.#told.has(stored.id)) return;
    this.#told.add(stored.id);
    this.#log.parked(stored);
    // By the earlier id another member may be answered still.
    const isOver = instead !== undefined && ![...this.#open].some(({ id }) => id === instead);
    this.#onParked?.(isOver ? { ...stored, instead } : stored);
  }

  #closeWhenAllAreHeard(): void {
    if (this.#phase === "closing" && this.#open.size === 0) this.stop(this.#expiry);
  }

  /** What goes wrong in a composition's own code denies. */
  #run(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.fail(error);
    }
  }

  /** `reasonOf` is asked only where somebody must be called off: an error takes longer to make than all the rest. */
  #end(reasonOf: () => unknown, deliver: () => void): void {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    this.#release();
    if (this.#open.size > 0) this.#callOff(reasonOf());
    this.#log.ended();
    deliver();
  }

  #callOff(reason: unknown): void {
    const open = [...this.#open];
    this.#open.clear();
    for (const member of open) silence(member);
    for (const member of open) member.controller.abort(reason);
  }

  #release(): void {
    this.#unsubscribe();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  /** What the members still asked learn when the round ends without an answer. */
  #withdrawal(error: unknown): unknown {
    switch (outcomeOfError(error).kind) {
      case "expired":
        return error;
      case "unavailable":
        return new PermissionGateError("ask_cancelled", `ask ${this.pending.id} was withdrawn`);
      default:
        return this.#otherAnswered();
    }
  }

  #otherAnswered(): PermissionGateError {
    return new PermissionGateError("ask_answered", `ask ${this.pending.id} was decided by another resolver`);
  }
}

function silence(member: OpenMember): void {
  member.hear = null;
  member.tell = null;
}

function telling(open: OpenMember): (stored: AskName) => void {
  return (stored) => open.tell?.(stored);
}

/** Outside of the round, so that a promise that never settles does not hold it. */
function hearing(open: OpenMember): AskSink {
  return {
    answer: (answer) => open.hear?.({ kind: "answer", answer }),
    fail: (error) => open.hear?.(outcomeOfError(error)),
  };
}

function afterTurns(turns: number, callback: () => void): void {
  if (turns === 0) callback();
  else queueMicrotask(() => afterTurns(turns - 1, callback));
}
