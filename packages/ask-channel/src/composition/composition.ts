import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  type DispatchOutcome,
  type OnReport,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import { type AskSink, offerDirect } from "../ask-sink.js";
import { copyAsk } from "../copy-ask.js";
import type { TellingContext } from "../tells-parked.js";
import { AskedMembers } from "./asked-members.js";
import { Round } from "./round.js";

/** What makes one composition differ from another. */
export interface Strategy {
  /** Asks the first members of the round. What it throws denies. */
  begin(round: Round): void;
  /** Whether all of its members are. */
  interactive(): boolean;
  report: OnReport;
}

/** A resolver that asks others. It rejects with the outer signal's reason once that fires. */
export class Composition implements AskResolver {
  /** `resolve` calls `onParked`: once for each id by which a member can be answered, since several may know the ask by different ones. */
  readonly tellsParked = true;
  readonly #strategy: Strategy;
  readonly #asked: AskedMembers;

  constructor(strategy: Strategy) {
    this.#strategy = strategy;
    this.#asked = new AskedMembers(() => {
      strategy.report({
        level: "warn",
        message: "too many asks ended without settled(): the resolvers of the oldest are not told any more",
      });
    });
    offerDirect(this, (pending, context, sink) => this.#put(pending, context, sink));
  }

  get interactive(): boolean {
    return this.#strategy.interactive();
  }

  resolve(pending: PendingAsk, context: TellingContext): Promise<AskResolution | AskAnswer> {
    const answered = new Promise<AskResolution | AskAnswer>((answer, fail) => {
      this.#put(pending, context, { answer, fail });
    });
    // Whoever ended the wait has stopped listening, and the rejection is no accident.
    answered.catch(() => {});
    return answered;
  }

  /** Tells everybody who was asked, nested or not, once each. One that fails at it is reported and stops no other. */
  async settled(pending: PendingAsk, outcome: DispatchOutcome): Promise<void> {
    const told = new Map<AskResolver, PendingAsk>();
    this.#collect(pending, outcome, told);
    const tell = async ([member, ask]: [AskResolver, PendingAsk]) => {
      try {
        await member.settled?.(ask, outcome);
      } catch (cause) {
        const message = `ask ${ask.id}: a resolver failed when it was told that the call has ended`;
        this.#strategy.report({ level: "error", message, cause });
      }
    };
    await Promise.all(Array.from(told, tell));
  }

  #put(pending: PendingAsk, context: TellingContext, sink: AskSink): void {
    if (context.signal.aborted) {
      sink.fail(context.signal.reason);
      return;
    }
    const ask = copyAsk(pending);
    const log = this.#asked.begin(ask, (reason) => round.stop(reason));
    const round = new Round(ask, context, sink, log);
    try {
      this.#strategy.begin(round);
    } catch (error) {
      round.fail(error);
    }
  }

  /** Forgets who was asked. A nested composition does not tell its members itself, so that one asked twice is told once. */
  #collect(pending: PendingAsk, outcome: DispatchOutcome, told: Map<AskResolver, PendingAsk>): void {
    const asked = this.#asked.take(pending);
    if (asked === null) return;
    if (asked.stops.size > 0) {
      const reason = callEnded(pending, outcome);
      for (const stop of asked.stops) stop(reason);
    }
    for (const [member, id] of asked.members) {
      const ask = { ...copyAsk(pending), id };
      if (member instanceof Composition && member.settled === Composition.prototype.settled) {
        member.#collect(ask, outcome, told);
      } else told.set(member, ask);
    }
  }
}

function callEnded(pending: PendingAsk, outcome: DispatchOutcome): PermissionGateError {
  const code = outcome === "cancelled" || outcome === "stopped" ? "ask_cancelled" : "ask_answered";
  return new PermissionGateError(code, `ask ${pending.id}: its call has ended`);
}
