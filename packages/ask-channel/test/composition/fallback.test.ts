import { describe, expect, it } from "vitest";
import { ApprovalChannel, fallback, SyncAskResolver } from "../../src/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { HeldMember, turn, unavailableMember } from "../support/held-member.js";
import { reports, SILENT } from "../support/reports.js";

const A = pendingAsk("A");

describe("fallback", () => {
  it.each(["ask_unavailable", "ask_expired"] as const)("asks the next when one is %s", async (code) => {
    const [one, two, three] = [new HeldMember(), new HeldMember(), new HeldMember()];
    const { onReport } = reports();
    const outcome = outcomeOf(fallback([one, two, three], { onReport }).resolve(A, wait().context));
    expect(two.isAsked).toBe(false);
    one.failWith(code);
    await turn();
    expect([two.isAsked, three.isAsked]).toEqual([true, false]);
    two.give("Approve");
    expect(await outcome).toEqual({ value: "Approve" });
    expect([one.calledOff, two.calledOff, three.isAsked]).toEqual([null, null, false]);
  });

  it("ends with a denial, a failure or nonsense, and asks no other", async () => {
    const spoils: ((member: HeldMember) => void)[] = [
      (member) => member.give("Deny"),
      (member) => member.fail(new Error("broken")),
      (member) => member.give("yes"),
    ];
    const outcomes = [];
    for (const spoil of spoils) {
      const one = new HeldMember();
      const other = new SyncAskResolver(() => true);
      const outcome = outcomeOf(fallback([one, other]).resolve(A, wait().context));
      spoil(one);
      outcomes.push(await outcome);
    }
    expect(outcomes).toEqual([{ value: "Deny" }, { code: "Error: broken" }, { code: "bad_record" }]);
  });

  it("asks nobody else once the wait was called off", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const waiting = wait();
    const outcome = outcomeOf(fallback([one, two]).resolve(A, waiting.context));
    waiting.expire();
    one.failWith("ask_unavailable");
    expect(await outcome).toEqual({ code: "ask_expired" });
    expect(two.isAsked).toBe(false);
  });

  it("passes over whom an unattended run cannot ask", async () => {
    const { events, onReport } = reports();
    const composition = fallback([() => true, new SyncAskResolver(() => false)], { onReport });
    const context = { ...wait().context, isNonInteractive: true };
    expect(await composition.resolve(A, context)).toBe("Deny");
    expect(events).toEqual([]);
  });

  it("comes to ask_unavailable when nobody is there", async () => {
    const { events, onReport } = reports();
    const members = Array.from({ length: 50 }, unavailableMember);
    expect(await outcomeOf(fallback(members, { onReport }).resolve(A, wait().context))).toEqual({
      code: "ask_unavailable",
    });
    // Of the last one the rejection tells.
    expect(events).toHaveLength(49);
  });

  it("goes on to the next when a channel was closed by its asking side", async () => {
    const { onReport } = reports();
    const closed = ApprovalChannel.pair(1, SILENT);
    await closed.resolver.close();
    const open = ApprovalChannel.pair(1, SILENT);
    const answer = fallback([closed.resolver, open.resolver], { onReport }).resolve(A, wait().context);
    expect(await open.approver.answer(A, "Approve")).toBe("delivered");
    expect(await closed.approver.answer(A, "Approve")).toBe("unknown");
    expect(await answer).toBe("Approve");
  });

  it("throws invalid_option for nobody", () => {
    expect(() => fallback([])).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});
