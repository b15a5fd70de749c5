import { getEventListeners } from "node:events";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { ApprovalChannel, withDeadline } from "../../src/index.js";
import { EMPTY, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { everyComposition } from "../support/every-composition.js";
import { HeldMember, turn } from "../support/held-member.js";
import { SILENT } from "../support/reports.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;
const quiet = () => ({ clock: new ManualClock(), onReport: () => {} });

describe.each(everyComposition)("around a channel, %s", (_name, build) => {
  it("[CASE-097] leaves the others waiting when one of several is answered", async () => {
    const { resolver, approver } = ApprovalChannel.pair(4, SILENT);
    const composition = build(resolver, quiet());
    const asks = ["q1", "q2", "q3", "q4"].map((id) => pendingAsk(id));
    const answered: string[] = [];
    for (const ask of asks) {
      void Promise.resolve(composition.resolve(ask, wait().context)).then(() => answered.push(ask.id));
    }
    await turn();
    const [q1 = A, q2, q3 = A, q4] = asks;
    await approver.answer(q1, "Deny");
    await approver.answer(q3, { ...YES, remember: "this_call" });
    await turn();
    expect(answered).toEqual(["q1", "q3"]);
    expect(await approver.list()).toMatchObject([{ id: q2?.id }, { id: q4?.id }]);
  });

  it("[CASE-132] tells whoever answers after the run was stopped, and takes nothing from it", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const composition = build(resolver, quiet());
    const waiting = wait();
    const outcome = outcomeOf(composition.resolve(A, waiting.context));
    await approver.nextPending();
    waiting.cancel();
    expect(await approver.answer(A, { ...YES, remember: "this_call" })).toBe("cancelled");
    await composition.settled?.(A, "cancelled");
    expect(await approver.answer(A, YES)).toBe("cancelled");
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    expect(resolver.load()).toEqual(EMPTY);
  });

  it("[CASE-141] leaves no listener on a signal that 500 asks share, however each of them ends", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const options = quiet();
    const member = new HeldMember();
    const composition = build(member, options);
    const { signal, context } = wait();
    const ends = [
      () => member.give(YES),
      () => member.fail(new Error("broken")),
      () => member.failWith("ask_unavailable"),
      () => member.failWith("ask_expired"),
    ];
    for (let index = 0; index < 500; index += 1) {
      const outcome = outcomeOf(composition.resolve(pendingAsk(`ask-${index}`), context));
      expect(getEventListeners(signal, "abort")).toHaveLength(1);
      await turn();
      ends[index % ends.length]?.();
      await outcome;
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
      expect(options.clock.timerCount).toBe(0);
    }
    expect(warnings).toEqual([]);
  });
});

// The case of an answer that never reaches whoever asked, CASE-177, is of a remote endpoint. This is its part in process.
describe("an answer to an ask in process", () => {
  it("tells the answering side truthfully that whoever asked is gone", async () => {
    const clock = new ManualClock();
    const { resolver, approver } = ApprovalChannel.pair(4, SILENT);
    const timed = withDeadline(resolver, 60_000, { clock });
    const [expired, cancelled, ended] = [pendingAsk("E"), pendingAsk("C"), pendingAsk("D")];
    const waiting = wait();
    void timed.resolve(expired, wait().context);
    void timed.resolve(cancelled, waiting.context);
    void timed.resolve(ended, wait().context);
    waiting.cancel();
    await timed.settled?.(ended, "completed");
    clock.advance(60_000);
    const statuses = [expired, cancelled, ended, pendingAsk("never asked")].map((ask) =>
      approver.answer(ask, "Approve"),
    );
    expect(await Promise.all(statuses)).toEqual(["expired", "cancelled", "already_answered", "unknown"]);
  });

  it("bounds the wait of an ask that nobody ever reads", async () => {
    const clock = new ManualClock();
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const outcome = outcomeOf(withDeadline(resolver, 60_000, { clock }).resolve(A, wait().context));
    expect(await approver.list()).toHaveLength(1);
    clock.advance(60_000);
    expect(await outcome).toEqual({ code: "ask_expired" });
    expect(resolver.load()).toEqual(EMPTY);
  });
});
