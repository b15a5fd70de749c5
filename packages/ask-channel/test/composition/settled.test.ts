import type { AskResolver } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { ApprovalChannel, fallback, firstAnswer, quorum, route, withDeadline } from "../../src/index.js";
import { pendingAsk, wait } from "../support/asks.js";
import { HeldMember } from "../support/held-member.js";
import { reports, SILENT } from "../support/reports.js";

const A = pendingAsk("A");

describe("settled", () => {
  it("is told to everybody who was asked, through nesting, and to nobody else", async () => {
    const [one, two, three, four] = [new HeldMember(), new HeldMember(), new HeldMember(), new HeldMember()];
    const composition = firstAnswer([
      fallback([one, two]),
      route(() => quorum(1, [three])),
      withDeadline(four, 5),
    ]);
    const outcome = composition.resolve(A, wait().context);
    four.give("Approve");
    await outcome;
    await composition.settled?.(A, "failed");
    const told = [["A", "failed"]];
    expect([one, two, three, four].map((member) => member.told)).toEqual([told, [], told, told]);
  });

  it("is told once to a member that was asked on two ways", async () => {
    const member = new HeldMember();
    const composition = firstAnswer([fallback([member]), member, quorum(1, [member])]);
    const outcome = composition.resolve(A, wait().context);
    member.give({ resolution: "Approve", decided_by: "ana" });
    await outcome;
    expect(member.asks).toHaveLength(3);
    await composition.settled?.(A, "completed");
    expect(member.told).toEqual([["A", "completed"]]);
  });

  it("carries the id of the stored ask that a member answered, to that member only", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const composition = firstAnswer([one, fallback([two])]);
    const outcome = composition.resolve(A, wait().context);
    two.give({ resolution: "Approve", ask_id: "stored" });
    expect(await outcome).toEqual({ resolution: "Approve", ask_id: "stored" });
    const stored = { ...A, id: "stored" };
    for (const ask of [stored, stored, A]) await composition.settled?.(ask, "completed");
    expect([one.told, two.told]).toEqual([[["A", "completed"]], [["stored", "completed"]]]);
  });

  it("of another call ends and tells nothing, whatever id an answer named", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const composition = route((ask) => (ask.id === "A" ? one : two));
    void composition.resolve(A, wait().context);
    void composition.resolve(pendingAsk("B"), wait().context);
    two.give({ resolution: "Approve", ask_id: "A" });
    await composition.settled?.({ ...pendingAsk("B"), id: "A" }, "completed");
    expect([one.told, one.calledOff]).toEqual([[], null]);
  });

  it("is reported where a member fails at it, and told to the others", async () => {
    const other = new HeldMember();
    const failing = (settled: AskResolver["settled"] & {}): AskResolver => ({
      resolve: () => new Promise(() => {}),
      settled,
    });
    const { events, onReport } = reports();
    const cause = new Error("gone");
    const composition = firstAnswer(
      [
        failing(() => {
          throw cause;
        }),
        failing(() => Promise.reject(cause)),
        other,
      ],
      { onReport },
    );
    const outcome = composition.resolve(A, wait().context);
    other.give("Deny");
    await outcome;
    await composition.settled?.(A, "denied");
    const message = "ask A: a resolver failed when it was told that the call has ended";
    expect(events).toEqual([
      { level: "error", message, cause },
      { level: "error", message, cause },
    ]);
    expect(other.told).toEqual([["A", "denied"]]);
  });

  it("is waited for", async () => {
    let isTold = false;
    const member: AskResolver = {
      resolve: () => "Approve",
      async settled() {
        await null;
        isTold = true;
      },
    };
    const composition = withDeadline(member, 0);
    await composition.resolve(A, wait().context);
    await composition.settled?.(A, "completed");
    expect(isTold).toBe(true);
  });

  it("closes what an approver still sees", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const composition = firstAnswer([resolver]);
    void composition.resolve(A, wait().context);
    await composition.settled?.(A, "completed");
    expect(await approver.list()).toEqual([]);
    expect(await approver.answer(A, "Approve")).toBe("already_answered");
  });

  it("is owed to nobody once it was told, nor for members that do not listen", async () => {
    const asks = Array.from({ length: 10_001 }, (_, index) => pendingAsk(`ask-${index}`));
    const { events, onReport } = reports();
    const waiting = route(() => new HeldMember(), { onReport });
    const { context } = wait();
    for (const ask of asks) {
      void waiting.resolve(ask, context);
      await waiting.settled?.(ask, "completed");
    }
    const answering = route(() => ({ resolve: () => "Deny" }), { onReport });
    for (const ask of asks) await answering.resolve(ask, context);
    expect(events).toEqual([]);
  });

  it("is expected for the latest ten thousand, and says so once when more are owed", async () => {
    const asks = Array.from({ length: 10_002 }, (_, index) => pendingAsk(`ask-${index}`));
    const told: string[] = [];
    const member: AskResolver = {
      interactive: false,
      resolve: () => "Deny",
      settled: (ask) => void told.push(ask.id),
    };
    const { events, onReport } = reports();
    const composition = firstAnswer([member], { onReport });
    for (const ask of asks) await composition.resolve(ask, wait().context);
    for (const ask of asks) await composition.settled?.(ask, "denied");
    expect(told).toHaveLength(10_000);
    expect(told[0]).toBe("ask-2");
    const message =
      "too many asks ended without settled(): the resolvers of the oldest are not told any more";
    expect(events).toEqual([{ level: "warn", message }]);
  });
});
