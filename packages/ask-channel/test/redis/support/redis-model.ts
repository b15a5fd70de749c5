import { getEventListeners } from "node:events";
import type { AnswerStatus, AskResolution, PendingAsk } from "@x/permission-core";
import { expect } from "vitest";
import type { RedisApprover, RedisAskResolver } from "../../../src/redis/index.js";
import { outcomeOf, pendingAsk, wait } from "../../support/asks.js";

/** One call of `resolve`, and what it must come to; null while it waits. */
interface Caller {
  readonly signal: AbortSignal;
  readonly end: ReturnType<typeof wait>;
  readonly outcome: ReturnType<typeof outcomeOf>;
  expected: { value: { resolution: AskResolution } } | { code: string } | null;
}

/** The plainest account of an ask that Redis knows. */
interface Followed {
  state: "waiting" | "claimed" | "ended";
  worker: number;
  callers: Caller[];
  /** what an answer reads that comes too late */
  status: "already_answered" | "cancelled" | "expired";
  /** answer id and text of all answers taken, which may be repeated */
  taken: readonly string[];
}

/** Drives the sides of one channel over Redis and, beside them, says what must become of every ask. */
export class RedisModel {
  readonly #workers: readonly RedisAskResolver[];
  readonly #approvers: readonly RedisApprover[];
  readonly #stateOf: (id: string) => Promise<string | null>;
  readonly #asks = new Map<string, Followed>();
  readonly #callers: Caller[] = [];

  /** `stateOf`: what stands in Redis. */
  constructor(
    workers: readonly RedisAskResolver[],
    approvers: readonly RedisApprover[],
    stateOf: (id: string) => Promise<string | null>,
  ) {
    this.#workers = workers;
    this.#approvers = approvers;
    this.#stateOf = stateOf;
  }

  async park(worker: number, id: string): Promise<void> {
    const end = wait();
    let tellParked = () => {};
    const parked = new Promise<void>((resolve) => {
      tellParked = resolve;
    });
    const context = { ...end.context, onParked: () => tellParked() };
    const outcome = outcomeOf(this.#workerOf(worker).resolve(pendingAsk(id), context));
    const caller: Caller = { signal: end.signal, end, outcome, expected: null };
    this.#callers.push(caller);
    const known = this.#asks.get(id);
    if (known?.state === "waiting" && known.worker === worker) known.callers.push(caller);
    else if (known?.state === "waiting" || (known?.state === "claimed" && known.worker !== worker))
      caller.expected = { code: "already_waiting" };
    else {
      // New, or asked again by who took its answer, which did not suffice.
      // Put last, so listed last.
      this.#asks.delete(id);
      this.#asks.set(id, {
        state: "waiting",
        worker,
        callers: [caller],
        status: "cancelled",
        taken: known?.taken ?? [],
      });
    }
    await Promise.race([parked, outcome]);
    if (caller.expected !== null) expect(await outcome).toEqual(caller.expected);
  }

  async answer(
    approver: number,
    id: string,
    { resolution, isRight, answerId }: { resolution: AskResolution; isRight: boolean; answerId?: string },
  ): Promise<void> {
    const ask = pendingAsk(id);
    const named = isRight ? ask : { id, args_digest: "another" };
    const options = answerId === undefined ? {} : { answerId };
    const expected = this.#expect(id, named, resolution, answerId);
    expect(await this.#approverOf(approver).answer(named, resolution, options)).toBe(expected);
    await this.#settleCallers(id);
  }

  /** All approvers answer at once: one is first. */
  async race(id: string, resolution: AskResolution): Promise<void> {
    const ask = pendingAsk(id);
    const expected = this.#approvers.map(() => this.#expect(id, ask, resolution, undefined));
    const got = await Promise.all(this.#approvers.map((approver) => approver.answer(ask, resolution)));
    expect(got.sort()).toEqual(expected.sort());
    await this.#settleCallers(id);
  }

  /** The first who waits for it leaves. */
  async leave(id: string, how: "cancel" | "expire"): Promise<void> {
    const known = this.#asks.get(id);
    const [caller] = known?.callers ?? [];
    if (known === undefined || caller === undefined) return;
    caller.end[how]();
    known.callers.shift();
    caller.expected = { code: how === "cancel" ? "ask_cancelled" : "ask_expired" };
    expect(await caller.outcome).toEqual(caller.expected);
    if (known.callers.length > 0) return;
    known.state = "ended";
    known.status = how === "cancel" ? "cancelled" : "expired";
    await expect.poll(() => this.#stateOf(id), { timeout: 10_000, interval: 1 }).toBe("ended");
  }

  async settle(worker: number, id: string, outcome: "completed" | "cancelled"): Promise<void> {
    await this.#workerOf(worker).settled(pendingAsk(id), outcome);
    const known = this.#asks.get(id);
    if (known === undefined || known.worker !== worker || known.state === "ended") return;
    const isAnswered = known.state === "claimed" || outcome === "completed";
    known.state = "ended";
    known.status = isAnswered ? "already_answered" : "cancelled";
    for (const caller of known.callers)
      caller.expected = { code: isAnswered ? "ask_answered" : "ask_cancelled" };
    await this.#settleCallers(id);
  }

  /** What is listed and open is what the account says, and every call came to what it says. */
  async verify(): Promise<void> {
    const inState = (state: Followed["state"]) =>
      [...this.#asks].filter(([, known]) => known.state === state).map(([id]) => id);
    for (const approver of this.#approvers) {
      expect((await approver.list()).map(({ id }) => id)).toEqual(inState("waiting"));
      expect((await approver.openClaims()).map(({ ask }) => ask.id).sort()).toEqual(
        inState("claimed").sort(),
      );
    }
    for (const id of inState("waiting"))
      while (this.#asks.get(id)?.state === "waiting") await this.leave(id, "cancel");
    for (const { outcome, expected, signal } of this.#callers) {
      expect(await outcome).toEqual(expected);
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    }
  }

  /** What this answer must read; where it is taken, what follows from that. */
  #expect(
    id: string,
    named: Pick<PendingAsk, "args_digest">,
    resolution: AskResolution,
    answerId: string | undefined,
  ): AnswerStatus {
    const known = this.#asks.get(id);
    if (known === undefined) return "unknown";
    const isRight = named.args_digest === pendingAsk(id).args_digest;
    const tag = `${answerId} ${resolution}`;
    if (answerId !== undefined && isRight && known.taken.includes(tag)) return "delivered";
    if (!isRight) return "mismatch";
    if (known.state !== "waiting") return known.state === "claimed" ? "already_answered" : known.status;
    known.state = "claimed";
    known.taken = [...known.taken, tag];
    for (const caller of known.callers) caller.expected = { value: { resolution } };
    return "delivered";
  }

  async #settleCallers(id: string): Promise<void> {
    const known = this.#asks.get(id);
    if (known === undefined || known.state === "waiting") return;
    for (const { outcome, expected } of known.callers) expect(await outcome).toEqual(expected);
    known.callers = [];
  }

  #workerOf(at: number): RedisAskResolver {
    return this.#workers[at] as RedisAskResolver;
  }

  #approverOf(at: number): RedisApprover {
    return this.#approvers[at] as RedisApprover;
  }
}
