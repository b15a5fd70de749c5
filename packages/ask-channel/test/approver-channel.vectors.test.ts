import { type ApproverChannelAnswer, describeVectors, type ParkOutcome } from "@x/conformance";
import {
  type AskAnswer,
  type AskResolution,
  isPermissionGateError,
  type PendingAsk,
  type ReportEvent,
} from "@x/permission-core";
import { expect, it } from "vitest";
import { ApprovalChannel, SyncAskResolver } from "../src/index.js";
import { pendingAsk, wait } from "./support/asks.js";

const A = pendingAsk("A");
const B = pendingAsk("B");

async function parkOutcome(answer: Promise<AskResolution | AskAnswer>): Promise<ParkOutcome> {
  try {
    const given = await answer;
    return typeof given === "string" ? given : given.resolution;
  } catch (error) {
    if (isPermissionGateError(error, "ask_expired")) return "expired";
    throw error;
  }
}

/** A channel, and parks and reads that speak of asks by name. */
function channel(capacity: number, reports: ReportEvent[] = []) {
  const { resolver, approver } = ApprovalChannel.pair(capacity, { onReport: (event) => reports.push(event) });
  return {
    resolver,
    approver,
    park: (ask: PendingAsk, waiting = wait()) => parkOutcome(resolver.resolve(ask, waiting.context)),
    /** What is delivered until nothing more is waiting. */
    async drain(): Promise<string[]> {
      await resolver.close();
      const ids: string[] = [];
      for await (const ask of approver) ids.push(ask.id);
      return ids;
    },
  };
}

const stories: Record<string, () => Promise<ApproverChannelAnswer>> = {
  async "01-single-use"() {
    const { approver, park } = channel(1);
    const parked = park(A);
    const delivered = (await approver.nextPending())?.id ?? "none";
    const answered = await approver.resolve("A", "Approve");
    return { delivered, answered, park: await parked, answered_again: await approver.resolve("A", "Deny") };
  },
  async "02-no-approver"() {
    const { approver, park } = channel(1);
    await approver.close();
    return { park: await park(A) };
  },
  async "03-late-answer"() {
    const { approver, park, drain } = channel(1);
    const waiting = wait();
    const parked = park(A, waiting);
    waiting.expire();
    return { park: await parked, delivered: await drain(), answered: await approver.resolve("A", "Approve") };
  },
  async "04-approver-dropped-after-delivery"() {
    const { approver, park } = channel(1);
    const parked = park(A);
    const delivered = (await approver.nextPending())?.id ?? "none";
    await approver.close();
    return { delivered, park: await parked };
  },
  async "05-delivered-denial"() {
    const { approver, park } = channel(1);
    const parked = park(A);
    const delivered = (await approver.nextPending())?.id ?? "none";
    return { delivered, answered: await approver.resolve("A", "Deny"), park: await parked };
  },
  async "06-two-parks-at-once-capacity-2"() {
    const { approver, park, drain } = channel(2);
    const parked = [park(A), park(B)];
    const delivered = await drain();
    const answered = [await approver.resolve("A", "Approve"), await approver.resolve("B", "Approve")];
    return { delivered, answered, parks: await Promise.all(parked) };
  },
  async "07-unknown-id"() {
    return { answered: await channel(1).approver.resolve("random", "Approve") };
  },
  async "08-capacity-0"() {
    const { resolver, approver, park, drain } = channel(0);
    const parked = [park(A), park(B)];
    expect(resolver.load()).toMatchObject({ queued: 1, waitingForRoom: 1 });
    const delivered = await drain();
    for (const id of delivered) await approver.resolve(id, "Approve");
    return { delivered, parks: await Promise.all(parked) };
  },
  async "09-backpressure"() {
    const { resolver, approver, park, drain } = channel(1);
    for (const ask of [A, B]) void park(ask);
    expect(resolver.load()).toMatchObject({ queued: 1, waitingForRoom: 1 });
    const first = (await approver.nextPending())?.id ?? "none";
    expect(resolver.load()).toMatchObject({ queued: 1, waitingForRoom: 0 });
    return { delivered: [first, ...(await drain())] };
  },
  async "10-backpressure-with-deadline"() {
    const { park, drain } = channel(1);
    const waits = [wait(), wait()] as const;
    const parked = [park(A, waits[0]), park(B, waits[1])];
    for (const waiting of waits) waiting.expire();
    return { parks: await Promise.all(parked), delivered: await drain() };
  },
  async "11-answer-before-delivery"() {
    const { approver, park, drain } = channel(1);
    void park(A);
    const parked = park(B);
    const answered = await approver.resolve("B", "Approve");
    return { answered, park: await parked, delivered: await drain() };
  },
  async "12-answers-out-of-order"() {
    const { approver, park } = channel(2);
    const parked = [park(A), park(B)];
    const answered = [await approver.resolve("B", "Deny"), await approver.resolve("A", "Approve")];
    return { answered, parks: await Promise.all(parked) };
  },
  async "13-end-of-stream"() {
    const { resolver, approver } = channel(1);
    await resolver.close();
    const next = await approver.nextPending();
    if (next !== null) throw new Error(`${next.id} came after the end`);
    return { next };
  },
  async "14-drop-log"() {
    const reports: ReportEvent[] = [];
    await channel(1, reports).approver.close();
    const { approver, park } = channel(1, reports);
    const parked = [park(A), park(B)];
    await approver.close();
    await Promise.all(parked);
    const denied = (message: string) => Number(message.match(/\d+/)?.[0]);
    return { logged: reports.map(({ level, message }) => ({ level, denied: denied(message) })) };
  },
  async "15-sync-resolver"() {
    let runs = 0;
    const answer = async (value: boolean) => {
      const resolver = new SyncAskResolver(() => {
        runs += 1;
        return value;
      });
      return parkOutcome(Promise.resolve(resolver.resolve(A, wait().context)));
    };
    const [yes, no] = [await answer(true), await answer(false)];
    if (yes === "expired" || no === "expired") throw new Error("a synchronous resolver cannot expire");
    return { closure_true: yes, closure_false: no, runs };
  },
};

describeVectors("approver-channel", {
  it,
  // Records need an engine: its test is with those of several packages.
  only: ({ records }) => records === undefined,
  async run(vector) {
    const story = stories[vector.id.split("/").at(-1) ?? ""];
    if (story === undefined) throw new Error(`no story for ${vector.id}`);
    expect(await story()).toEqual(vector.answer);
  },
});
