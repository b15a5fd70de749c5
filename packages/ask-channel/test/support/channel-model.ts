import type { AnswerStatus, AskResolution, PendingAsk } from "@x/permission-core";
import { expect } from "vitest";
import { ApprovalChannel } from "../../src/index.js";
import { outcomeOf, pendingAsk, wait } from "./asks.js";

/** One ask as the model follows it. */
interface Followed {
  readonly ask: PendingAsk;
  readonly waiting: ReturnType<typeof wait>;
  readonly outcome: ReturnType<typeof outcomeOf>;
  settlements: number;
  /** what an answer would read now; null while it waits */
  status: Exclude<AnswerStatus, "delivered" | "unknown" | "mismatch"> | null;
  /** what its promise must come to; null while it waits */
  expected: { value: AskResolution } | { code: string } | null;
}

/** Drives a channel and, beside it, the plainest account of what must become of every ask. */
export class ChannelModel {
  readonly all: Followed[] = [];
  readonly resolver;
  readonly approver;
  /** the latest ask of each id that the channel took */
  readonly #latest = new Map<string, Followed>();
  readonly #parked: string[] = [];
  readonly #delivered: PendingAsk[] = [];
  readonly #readers: Promise<unknown>[] = [];
  readonly #statuses: { got: Promise<AnswerStatus>; want: AnswerStatus }[] = [];
  #approverClosed = false;
  #resolverClosed = false;

  constructor(capacity: number) {
    [this.resolver, this.approver] = ApprovalChannel.pair(capacity, { onReport: () => {} });
  }

  park(id: string): void {
    // The number in the call's id tells asks of one id apart.
    const ask = pendingAsk(id, { call_id: String(this.all.length) });
    const waiting = wait();
    const answer = this.resolver.resolve(ask, waiting.context);
    const followed: Followed = {
      ask,
      waiting,
      outcome: outcomeOf(answer),
      settlements: 0,
      status: null,
      expected: null,
    };
    const count = () => {
      followed.settlements += 1;
    };
    answer.then(count, count);
    this.all.push(followed);
    const isDuplicate = this.#latest.get(id)?.status === null;
    if (isDuplicate || (this.#resolverClosed && !this.#approverClosed)) {
      end(followed, "cancelled", { code: "ask_unavailable" });
      return;
    }
    this.#latest.set(id, followed);
    if (this.#approverClosed) end(followed, "already_answered", { value: "Deny" });
    else this.#parked.push(ask.call_id);
  }

  answer(id: string, resolution: AskResolution, digest: "right" | "wrong"): void {
    const argsDigest = pendingAsk(digest === "right" ? id : "another").args_digest;
    const got = this.approver.answer({ id, args_digest: argsDigest }, resolution);
    const followed = this.#latest.get(id);
    if (followed === undefined) this.#statuses.push({ got, want: "unknown" });
    else if (digest === "wrong") this.#statuses.push({ got, want: "mismatch" });
    else this.#statuses.push({ got, want: followed.status ?? "delivered" });
    if (followed?.status === null && digest === "right") {
      end(followed, "already_answered", { value: resolution });
    }
  }

  abort(id: string, how: "cancel" | "expire"): void {
    const followed = this.#latest.get(id);
    followed?.waiting[how]();
    if (followed?.status !== null) return;
    if (how === "cancel") end(followed, "cancelled", { code: "ask_cancelled" });
    else end(followed, "expired", { code: "ask_expired" });
  }

  read(): void {
    const read = this.approver.nextPending().then((ask) => {
      if (ask !== null) this.#delivered.push(ask);
    });
    this.#readers.push(read);
  }

  async closeResolver(): Promise<void> {
    this.#resolverClosed = true;
    await this.resolver.close();
  }

  async closeApprover(): Promise<void> {
    this.#approverClosed = true;
    await this.approver.close();
    for (const followed of this.open()) end(followed, "already_answered", { value: "Deny" });
  }

  open(): Followed[] {
    return this.all.filter((followed) => followed.status === null);
  }

  /** Compares everything that was promised; call it when all is closed. */
  async verify(): Promise<void> {
    for (const { ask, outcome, expected } of this.all) {
      expect([ask.call_id, await outcome]).toEqual([ask.call_id, expected]);
    }
    expect(this.all.map((followed) => followed.settlements)).toEqual(this.all.map(() => 1));
    for (const { got, want } of this.#statuses) expect(await got).toBe(want);
    await Promise.all(this.#readers);
    const order = this.#delivered.map((ask) => this.#parked.indexOf(ask.call_id));
    expect(order).toEqual([...new Set(order)].toSorted((left, right) => left - right));
  }
}

function end(followed: Followed, status: Followed["status"], expected: Followed["expected"]): void {
  followed.status = status;
  followed.expected = expected;
}
