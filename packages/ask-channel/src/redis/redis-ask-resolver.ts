import {
  type AskAnswer,
  type AskResolver,
  type DispatchOutcome,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import { isWellFormed } from "@x/redis-scripts";
import { copyAsk } from "../copy-ask.js";
import { callName } from "./call-name.js";
import { type ChannelSettings, type RedisChannelOptions, readOptions } from "./options.js";
import { alreadyWaiting, expired } from "./refusals.js";
import { renewStoredAsk, writeStoredAsk } from "./stored-ask.js";
import { type AskStanding, Wait } from "./wait.js";
import type { WaitContext } from "./waiter.js";
import { WaitingAsks } from "./waiting-asks.js";

/** Of how many asks it is remembered what was known of them, until they are settled. */
const REMEMBERED_STANDINGS = 10_000;

/** How many answered asks are remembered until they are settled. Of one that was forgotten the end is told once, and not again. */
const REMEMBERED_ANSWERED = 10_000;

/**
 * The asking side of a channel over Redis. One connection of its own listens for all asks of this object, from the first
 * ask until `close()`.
 *
 * An ask is stored with a lease that this process refreshes, so it can outlast the process: a process that asks about the
 * same call again (session, run, turn, call id, tool, descriptor, arguments; neither session nor run nil) goes on with the
 * ask that the other left, takes its answer, and gives the ask's id in `ask_id`. Where that process still lives, it is
 * refused with code `already_waiting`, within two thirds of a lease at the latest; where it died, it waits until the lease
 * has run out, or has not changed for as long by its own timers.
 *
 * The same ask may be put to one object more than once, as compositions do that reach it by several ways: all who put it get
 * the answer, and it is called off when the last of them has left. Their deadlines may differ: each waits to its own, and
 * the ask can be answered to the last of them. Put again after its answer was taken, as a quorum does for which that was
 * not enough, it is asked anew, and the claim of that answer is closed.
 *
 * Redis that is out of reach ends no wait: it goes on until its answer, its deadline or its signal. Redis that comes back
 * empty is given the asks again. Answers that are malformed, or not signed where they must be, are passed over and
 * reported, once for each ask, and it is put again: at once the first time, and then ever more slowly.
 *
 * At most once: an answer is taken before its call runs. A process that dies in between leaves the claim on record, see
 * `RedisApprover.openClaims()`; the call does not run by itself. Once Redis was restarted, or another server took its place, it may
 * have lost that an answer was taken: an ask of before is then gone on with by the process that waited for it, and by no other.
 * Another one that asks about the call puts an ask of its own. So does the process itself, under a new id, where it was silent for
 * `leaseMs` before: others may have taken it for dead, and run the call. Put once more, such an ask has a new id from the start.
 */
export class RedisAskResolver implements AskResolver {
  readonly interactive = false;
  /** `resolve` calls `onParked`. */
  readonly tellsParked = true;
  readonly #settings: ChannelSettings;
  readonly #asks: WaitingAsks;
  /** by the id under which each was put, and by that under which it stands in Redis; `token`: of the wait that took its answer */
  readonly #answered = new Map<string, { putId: string; id: string; token: string }>();
  /** what is known of asks that others may go on with, by the id under which each was put */
  readonly #standings = new Map<string, AskStanding>();
  readonly #name: string = globalThis.crypto.randomUUID();
  #waits = 0;
  #isClosed = false;

  /** Throws code `invalid_option` for options out of range, and for a client that is closed or has subscribed. */
  constructor(options: RedisChannelOptions) {
    this.#settings = readOptions(options);
    this.#asks = new WaitingAsks(this.#settings, this.#name);
  }

  /**
   * Parks the ask until it is answered. `onParked` is told id and digest that an answer must name, as soon as the ask stands in Redis
   * and before anybody's answer is taken; again where it is another later, since another ask of the call is gone on with, or Redis
   * was away for `leaseMs` and restarted; then with `instead`, the id that it was told before, by which no answer counts any more.
   *
   * Rejects with `signal.reason` when that aborts first; with `ask_expired` at the ask's deadline, at most 500 ms later where
   * Redis is slow to say whether it was answered in time; with `bad_record` for what is no ask, within a third of a lease, and
   * at once for one of more than 1,000,000 characters as JSON, or whose id has half a character (a lone surrogate); with `ask_unavailable` when Redis did not store it within
   * `timeoutMs` or nine tenths of the time until its deadline, when an
   * approver is demanded and none is there (or all have been away for `presenceMs`), and after `close()`; with
   * `already_waiting` when somebody else waits for this ask or call.
   */
  resolve(pending: PendingAsk, context: WaitContext): Promise<AskAnswer> {
    const answer = this.#resolve(pending, context);
    // A caller whose wait ended otherwise has stopped listening: its rejection is no accident that a host should hear of.
    answer.catch(() => {});
    return answer;
  }

  /** Closes the claim. Fulfils also where Redis is out of reach: then it is closed as soon as it is back. */
  async settled(pending: PendingAsk, outcome: DispatchOutcome): Promise<void> {
    const answered = this.#answered.get(pending.id);
    this.#forget(answered);
    // An id that was given up is never opened again, however often it is put.
    if (this.#standings.get(pending.id)?.isGivenUp === false) this.#standings.delete(pending.id);
    const isCancelled = outcome === "cancelled" || outcome === "stopped";
    const status = isCancelled ? "cancelled" : "already_answered";
    await this.#asks.settle(answered?.id ?? pending.id, answered?.token ?? null, status);
  }

  /**
   * Parks nothing more, and denies nothing: what waits can still be answered. Its connection ends with the last wait. A
   * process that is to end at once aborts the signals of its waits first.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#asks.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #resolve(pending: PendingAsk, context: WaitContext): Promise<AskAnswer> {
    const { signal } = context;
    signal.throwIfAborted();
    if (this.#isClosed) {
      throw new PermissionGateError("ask_unavailable", "the approval channel was closed by its asking side");
    }
    const ask = copyAsk(pending);
    const { expires_at_ms } = ask;
    if (!isWellFormed(ask.id))
      throw new PermissionGateError("bad_record", "ask: its id has half a character");
    if (expires_at_ms !== undefined && !Number.isSafeInteger(expires_at_ms))
      throw new PermissionGateError("bad_record", "ask: expires_at_ms is no whole number of milliseconds");
    if (expires_at_ms !== undefined && expires_at_ms <= this.#settings.clock.now()) throw expired(ask.id);
    const call = callName(ask);
    const earlier = this.#asks.of(ask.id, call);
    if (earlier?.isAbout(ask) === false) throw alreadyWaiting(ask.id);
    const wait = earlier ?? this.#newWait(ask, call);
    const answered = wait.join(ask, context);
    if (earlier === undefined) this.#asks.add(wait);
    const answer = await answered;
    const { id } = wait.stored;
    this.#remember({ putId: ask.id, id, token: wait.token });
    return id === ask.id ? answer : { ...answer, ask_id: id };
  }

  /** Where an answer to the ask was taken before, it did not suffice to whoever puts it again: its claim is to be closed. */
  #newWait(ask: PendingAsk, call: string | null): Wait {
    const { clock, signer, times } = this.#settings;
    const text = writeStoredAsk(ask, signer);
    const standing = this.#standingOf(ask.id, call);
    const before = this.#answered.get(ask.id);
    // Under its own id, parking does that.
    if (before !== undefined && before.id !== ask.id) {
      this.#forget(before);
      this.#asks.passOver(before);
    }
    const stored = standing.isGivenUp ? renewStoredAsk(ask, signer) : { id: ask.id, text };
    const parking = { ask, stored, call, token: this.#nextToken(), standing, leaseMs: times.leaseMs };
    return new Wait(parking, clock, this.#asks);
  }

  /** What the wait before has left, if there was one. */
  #standingOf(id: string, call: string | null): AskStanding {
    const { isGivenUp = false, confirmed = null } = this.#standings.get(id) ?? {};
    // Under a new id there is nothing to doubt.
    const standing = { isGivenUp, confirmed: isGivenUp ? null : confirmed };
    if (call === null) return standing;
    this.#standings.delete(id);
    this.#standings.set(id, standing);
    if (this.#standings.size <= REMEMBERED_STANDINGS) return standing;
    for (const oldest of this.#standings.keys()) {
      this.#standings.delete(oldest);
      break;
    }
    return standing;
  }

  #nextToken(): string {
    this.#waits += 1;
    return `${this.#name}/${this.#waits}`;
  }

  #remember(answered: { putId: string; id: string; token: string }): void {
    this.#answered.set(answered.putId, answered).set(answered.id, answered);
    if (this.#answered.size <= REMEMBERED_ANSWERED) return;
    for (const oldest of this.#answered.values()) {
      this.#forget(oldest);
      return;
    }
  }

  #forget(answered: { putId: string; id: string } | undefined): void {
    if (answered === undefined) return;
    this.#answered.delete(answered.putId);
    this.#answered.delete(answered.id);
  }
}
