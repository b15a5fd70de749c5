import { getEventListeners } from "node:events";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { type EscalationStep, escalate } from "../../src/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { HeldMember, turn, unavailableMember } from "../support/held-member.js";
import { reports } from "../support/reports.js";

const A = pendingAsk("A");

function put(steps: EscalationStep[]) {
  const clock = new ManualClock();
  const waiting = wait();
  const composition = escalate(steps, { clock, onReport: reports().onReport });
  return { clock, waiting, composition, outcome: outcomeOf(composition.resolve(A, waiting.context)) };
}

describe("escalate", () => {
  it("asks each when its time has come, counted from the ask, and those before stay asked", async () => {
    const [one, two, three] = [new HeldMember(), new HeldMember(), new HeldMember()];
    const { clock, outcome, waiting } = put([
      { to: one },
      { to: three, afterMs: 60_000 },
      { to: two, afterMs: 10_000 },
    ]);
    const asked = () => [one, two, three].map((member) => member.isAsked);
    expect(asked()).toEqual([true, false, false]);
    clock.advance(9_999);
    expect(asked()).toEqual([true, false, false]);
    clock.advance(1);
    expect(asked()).toEqual([true, true, false]);
    clock.advance(50_000);
    expect(asked()).toEqual([true, true, true]);
    one.give("Approve");
    expect(await outcome).toEqual({ value: "Approve" });
    expect([one, two, three].map((member) => member.calledOff)).toEqual([
      null,
      "ask_answered",
      "ask_answered",
    ]);
    expect(clock.timerCount).toBe(0);
    expect(getEventListeners(waiting.signal, "abort")).toEqual([]);
  });

  it("asks nobody more once it was answered", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const { clock, outcome } = put([{ to: one }, { to: two, afterMs: 10 }]);
    one.give("Deny");
    expect(await outcome).toEqual({ value: "Deny" });
    expect(clock.timerCount).toBe(0);
    clock.advance(10);
    expect(two.isAsked).toBe(false);
  });

  it("takes a step early when nobody is left to wait for, and the one after it at its own time", async () => {
    const [one, two, three] = [new HeldMember(), new HeldMember(), new HeldMember()];
    const { clock, outcome } = put([{ to: one }, { to: two, afterMs: 1_000 }, { to: three, afterMs: 2_000 }]);
    clock.advance(100);
    one.failWith("ask_unavailable");
    await turn();
    expect([two.isAsked, three.isAsked]).toEqual([true, false]);
    clock.advance(1_899);
    expect([two.asks.length, three.isAsked]).toEqual([1, false]);
    clock.advance(1);
    expect(three.isAsked).toBe(true);
    two.failWith("ask_unavailable");
    three.failWith("ask_expired");
    expect(await outcome).toEqual({ code: "ask_expired" });
    expect(clock.timerCount).toBe(0);
  });

  it("asks a step of Infinity only when nobody else is left", async () => {
    const last = new HeldMember();
    const one = new HeldMember();
    const { clock } = put([{ to: last, afterMs: Number.POSITIVE_INFINITY }, { to: one }]);
    expect(clock.timerCount).toBe(0);
    clock.advance(2 ** 40);
    expect(last.isAsked).toBe(false);
    one.failWith("ask_unavailable");
    await turn();
    expect(last.isAsked).toBe(true);
  });

  it("waits longer than a host timer can", () => {
    const late = new HeldMember();
    const { clock } = put([{ to: new HeldMember() }, { to: late, afterMs: 2 ** 31 + 5 }]);
    clock.advance(2 ** 31 + 4);
    expect(late.isAsked).toBe(false);
    clock.advance(1);
    expect(late.isAsked).toBe(true);
  });

  it("asks all who are due at once, and the first step at once whatever its time", () => {
    const [one, two, three] = [new HeldMember(), new HeldMember(), new HeldMember()];
    put([{ to: unavailableMember() }, { to: one, afterMs: 0 }, { to: two }]);
    put([{ to: three, afterMs: 500 }]);
    expect([one.isAsked, two.isAsked, three.isAsked]).toEqual([true, true, true]);
  });

  it("ends with the first failure", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const { clock, outcome } = put([{ to: one }, { to: two, afterMs: 10 }]);
    clock.advance(10);
    two.give("nonsense");
    expect(await outcome).toEqual({ code: "bad_record" });
    expect(one.calledOff).toBe("ask_answered");
  });

  it("takes nobody on after a deadline, also where an unavailable member is heard in the same turn", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const { clock, outcome, waiting } = put([{ to: one }, { to: two, afterMs: 10 }]);
    waiting.expire();
    expect(clock.timerCount).toBe(0);
    clock.advance(10);
    one.failWith("ask_unavailable");
    expect(await outcome).toEqual({ code: "ask_expired" });
    expect(two.isAsked).toBe(false);
  });

  it("throws invalid_option for no steps and for times that are none", () => {
    const refused = expect.objectContaining({ code: "invalid_option" });
    expect(() => escalate([])).toThrow(refused);
    for (const afterMs of [-1, Number.NaN, "10"]) {
      expect(() => escalate([{ to: new HeldMember(), afterMs: afterMs as number }])).toThrow(refused);
    }
  });
});
