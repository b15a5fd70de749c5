import { getEventListeners } from "node:events";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ApprovalChannel, withDeadline } from "../../src/index.js";
import { EMPTY, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { HeldMember, turn } from "../support/held-member.js";
import { SILENT } from "../support/reports.js";

const A = pendingAsk("A");
const START = 1_700_000_000_000;

function put(ms: number | undefined, ask = A) {
  const clock = new ManualClock(START);
  const member = new HeldMember();
  const waiting = wait();
  const outcome = outcomeOf(withDeadline(member, ms, { clock }).resolve(ask, waiting.context));
  const nothingIsLeft = () => {
    expect(clock.timerCount).toBe(0);
    expect(getEventListeners(waiting.signal, "abort")).toEqual([]);
  };
  return { clock, member, waiting, outcome, nothingIsLeft };
}

describe("withDeadline", () => {
  it("rejects with ask_expired when its time is over, of which its member hears at once", async () => {
    const { clock, member, outcome, nothingIsLeft } = put(300_000);
    clock.advance(299_999);
    expect(member.calledOff).toBe(null);
    clock.advance(1);
    expect(member.calledOff).toBe("ask_expired");
    expect(await outcome).toEqual({ code: "ask_expired" });
    nothingIsLeft();
  });

  it("takes an answer that was given before, in the same turn", async () => {
    const { clock, member, outcome, nothingIsLeft } = put(300_000);
    member.give("Approve");
    clock.advance(300_000);
    expect(await outcome).toEqual({ value: "Approve" });
    nothingIsLeft();
  });

  it("takes no answer that comes in a later turn", async () => {
    const { clock, member, outcome, nothingIsLeft } = put(300_000);
    clock.advance(300_000);
    await turn();
    member.give("Approve");
    expect(await outcome).toEqual({ code: "ask_expired" });
    nothingIsLeft();
  });

  it.each([0, undefined, Number.POSITIVE_INFINITY])("[CASE-130] sets no deadline for %s", async (ms) => {
    const { clock, member, outcome } = put(ms);
    expect(clock.timerCount).toBe(0);
    expect(member.asks).toEqual([A]);
    clock.advance(600_000);
    member.give("Approve");
    expect(await outcome).toEqual({ value: "Approve" });
  });

  it("[CASE-130] tells running out of time from a person's denial, and the person too", async () => {
    const clock = new ManualClock();
    const { resolver, approver } = ApprovalChannel.pair(2, SILENT);
    const timed = withDeadline(resolver, 300_000, { clock });
    const outcomes = ["A", "B"].map((id) => outcomeOf(timed.resolve(pendingAsk(id), wait().context)));
    await approver.answer(pendingAsk("B"), "Deny");
    clock.advance(300_000);
    expect(await approver.answer(A, "Approve")).toBe("expired");
    expect(await approver.answer(pendingAsk("B"), "Approve")).toBe("already_answered");
    expect(await Promise.all(outcomes)).toEqual([{ code: "ask_expired" }, { value: "Deny" }]);
    expect(resolver.load()).toEqual(EMPTY);
  });

  it.each(["answer", "deadline"])(
    "[CASE-133] of an answer and the deadline in one turn, the %s wins that came first",
    async (first) => {
      const clock = new ManualClock();
      const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
      const outcome = outcomeOf(withDeadline(resolver, 10, { clock }).resolve(A, wait().context));
      if (first === "deadline") clock.advance(10);
      const status = approver.answer(A, "Approve");
      clock.advance(10);
      expect(await status).toBe(first === "answer" ? "delivered" : "expired");
      expect(await outcome).toEqual(first === "answer" ? { value: "Approve" } : { code: "ask_expired" });
      expect(clock.timerCount).toBe(0);
    },
  );

  it("waits longer than a host timer can, on the host's own clock", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const member = new HeldMember();
    const outcome = outcomeOf(withDeadline(member, 2 ** 31 + 5_000).resolve(A, wait().context));
    await vi.advanceTimersByTimeAsync(2 ** 31 + 4_999);
    expect(member.calledOff).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual({ code: "ask_expired" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("shows the earlier of the two deadlines", () => {
    const shown = (ms: number, expiresAtMs?: number) =>
      put(ms, expiresAtMs === undefined ? A : { ...A, expires_at_ms: expiresAtMs }).member.asks[0]
        ?.expires_at_ms;
    expect(shown(5_000)).toBe(START + 5_000);
    expect(shown(0.5)).toBe(START);
    expect(shown(5_000, START + 1_000)).toBe(START + 1_000);
    expect(shown(5_000, START + 9_000)).toBe(START + 5_000);
    expect(shown(Number.MAX_VALUE)).toBe(undefined);
  });

  it("ends the shorter first where two are nested", async () => {
    const clock = new ManualClock();
    const member = new HeldMember();
    const inner = withDeadline(member, 20, { clock });
    const outcome = outcomeOf(withDeadline(inner, 10, { clock }).resolve(A, wait().context));
    clock.advance(10);
    expect(await outcome).toEqual({ code: "ask_expired" });
    expect(member.calledOff).toBe("ask_expired");
    expect(clock.timerCount).toBe(0);
  });

  it("throws invalid_option for a time that is none", () => {
    for (const ms of [-1, Number.NaN, "10", null]) {
      expect(() => withDeadline(new HeldMember(), ms as number)).toThrow(
        expect.objectContaining({ code: "invalid_option" }),
      );
    }
  });
});
