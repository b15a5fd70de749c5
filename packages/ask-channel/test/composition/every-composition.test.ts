import { getEventListeners } from "node:events";
import { type AskFunction, PermissionGateError } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ApprovalChannel, type ComposableResolver, firstAnswer, withDeadline } from "../../src/index.js";
import { EMPTY, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { everyComposition } from "../support/every-composition.js";
import { HeldMember, turn } from "../support/held-member.js";
import { reports, SILENT } from "../support/reports.js";

const A = pendingAsk("A", { rememberable: ["this_call"] });
const YES = { resolution: "Approve", decided_by: "ana" } as const;

describe.each(everyComposition)("%s", (_name, build) => {
  function compose(member: ComposableResolver) {
    const clock = new ManualClock();
    const { events, onReport } = reports();
    return { clock, events, composition: build(member, { clock, onReport }) };
  }

  /** Puts ask A to the composition around one member. */
  async function put(member: ComposableResolver = new HeldMember()) {
    const composed = compose(member);
    const waiting = wait();
    const outcome = outcomeOf(composed.composition.resolve(A, waiting.context));
    await turn();
    const nothingIsLeft = () => {
      expect(composed.clock.timerCount).toBe(0);
      expect(getEventListeners(waiting.signal, "abort")).toEqual([]);
    };
    return { ...composed, waiting, outcome, nothingIsLeft };
  }

  it("gives the first answer of its member, and leaves nothing", async () => {
    const member = new HeldMember();
    const { outcome, nothingIsLeft } = await put(member);
    member.give(YES);
    member.give("Deny");
    expect(await outcome).toEqual({ value: YES });
    expect(member.calledOff).toBe(null);
    nothingIsLeft();
  });

  it("gives a denial", async () => {
    const member = new HeldMember();
    const { outcome, nothingIsLeft } = await put(member);
    member.give({ resolution: "Deny", reason: "no" });
    expect(await outcome).toEqual({ value: { resolution: "Deny", reason: "no" } });
    nothingIsLeft();
  });

  it("shows its member a copy of the ask", async () => {
    const member = new HeldMember();
    const { composition } = compose(member);
    const parked = { ...A, rememberable: [...(A.rememberable ?? [])] };
    void composition.resolve(parked, wait().context);
    await turn();
    const [shown] = member.asks;
    expect(shown).toMatchObject(A);
    shown?.rememberable?.push("this_tool");
    expect(parked).toEqual(A);
  });

  it.each(["ask_cancelled", "ask_answered"] as const)(
    "passes %s on at once and rejects with it",
    async (code) => {
      const member = new HeldMember();
      const { waiting, outcome, nothingIsLeft } = await put(member);
      if (code === "ask_cancelled") waiting.cancel();
      else waiting.answeredElsewhere();
      expect(member.signals[0]?.reason).toBe(waiting.signal.reason);
      member.give(YES);
      expect(await outcome).toEqual({ code });
      nothingIsLeft();
    },
  );

  it("passes a reason of the host's own on", async () => {
    const controller = new AbortController();
    const member = new HeldMember();
    const { composition } = compose(member);
    const outcome = composition.resolve(A, { signal: controller.signal, isNonInteractive: false });
    await turn();
    const reason = new Error("shutting down");
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    expect(member.signals[0]?.reason).toBe(reason);
  });

  it("takes a cancel over an answer of the same turn", async () => {
    const member = new HeldMember();
    const { waiting, outcome } = await put(member);
    member.give(YES);
    waiting.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
  });

  it("expires with the outer deadline, of which its member hears at once", async () => {
    const member = new HeldMember();
    const { waiting, outcome, nothingIsLeft } = await put(member);
    waiting.expire();
    expect(member.calledOff).toBe("ask_expired");
    expect(await outcome).toEqual({ code: "ask_expired" });
    nothingIsLeft();
  });

  it("takes an answer that was given before the outer deadline, in the same turn", async () => {
    const member = new HeldMember();
    const { waiting, outcome, nothingIsLeft } = await put(member);
    member.give(YES);
    waiting.expire();
    expect(await outcome).toEqual({ value: YES });
    nothingIsLeft();
  });

  it("does not take a failure for the answer where the deadline called the member off", async () => {
    const member = new HeldMember();
    const { waiting, outcome } = await put(member);
    waiting.expire();
    member.fail(new DOMException("aborted", "AbortError"));
    expect(await outcome).toEqual({ code: "ask_expired" });
  });

  it("asks nobody when the signal has fired already", async () => {
    const member = new HeldMember();
    const { composition, clock } = compose(member);
    const waiting = wait();
    waiting.cancel();
    expect(await outcomeOf(composition.resolve(A, waiting.context))).toEqual({ code: "ask_cancelled" });
    expect(member.isAsked).toBe(false);
    expect(clock.timerCount).toBe(0);
  });

  it("says that nobody can be asked when its member is unavailable", async () => {
    const member = new HeldMember();
    const { outcome, nothingIsLeft } = await put(member);
    member.failWith("ask_unavailable");
    expect(await outcome).toEqual({ code: "ask_unavailable" });
    nothingIsLeft();
  });

  it("expires when its member does", async () => {
    const member = new HeldMember();
    const { outcome, nothingIsLeft } = await put(member);
    member.failWith("ask_expired");
    expect(await outcome).toEqual({ code: "ask_expired" });
    nothingIsLeft();
  });

  it("rejects with what its member throws, at once or later", async () => {
    const error = new Error("broken");
    const broken: AskFunction = () => {
      throw error;
    };
    const { composition } = compose(broken);
    await expect(composition.resolve(A, wait().context)).rejects.toBe(error);
    const throwing = compose({ interactive: false, resolve: broken as never });
    await expect(throwing.composition.resolve(A, wait().context)).rejects.toBe(error);
    const member = new HeldMember();
    const { composition: held } = compose(member);
    const outcome = held.resolve(A, wait().context);
    await turn();
    member.fail(error);
    await expect(outcome).rejects.toBe(error);
  });

  it.each([
    true,
    1,
    "yes",
    "approve",
    null,
    undefined,
    {},
    [],
    { resolution: true },
    { resolution: "approve" },
    { resolution: "Approve", decided_by: 7 },
    { resolution: "Approve", decided_by: "ana", modified_input: Number.NaN },
    { resolution: "Deny", modified_input: {} },
  ])("does not take %j for an answer", async (junk) => {
    const member = new HeldMember();
    const { outcome, nothingIsLeft } = await put(member);
    member.give(junk);
    expect(await outcome).toEqual({ code: "bad_record" });
    nothingIsLeft();
    const atOnce = compose({ interactive: false, resolve: () => junk as never });
    expect(await outcomeOf(atOnce.composition.resolve(A, wait().context))).toEqual({ code: "bad_record" });
  });

  it("does not take what cannot be read for an answer", async () => {
    const trap = new Proxy(YES, {
      get(target, name) {
        if (name === "then") return Reflect.get(target, name);
        throw new Error("trap");
      },
      getOwnPropertyDescriptor() {
        throw new Error("trap");
      },
    });
    const { composition } = compose({ interactive: false, resolve: () => trap });
    expect(await outcomeOf(composition.resolve(A, wait().context))).toEqual({ code: "bad_record" });
    const unthenable = new Proxy(
      {},
      {
        get() {
          throw new Error("trap");
        },
      },
    );
    const other = compose({ interactive: false, resolve: () => unthenable as never });
    expect(await outcomeOf(other.composition.resolve(A, wait().context))).toEqual({ code: "Error: trap" });
  });

  it("hands over an input that its member can no longer change", async () => {
    const member = new HeldMember();
    const { outcome } = await put(member);
    const input = { target: "staging" };
    member.give({ ...YES, modified_input: input });
    await turn();
    input.target = "production";
    expect(await outcome).toEqual({ value: { ...YES, modified_input: { target: "staging" } } });
  });

  it("takes a plain function, to which only true, Approve or an approving answer is a yes", async () => {
    const given: Parameters<AskFunction>[] = [];
    const ask: AskFunction = (...args) => {
      given.push(args);
      return { resolution: "Approve", decided_by: "ana" };
    };
    const { composition } = compose(ask);
    expect(await outcomeOf(composition.resolve(A, wait().context))).toEqual({ value: YES });
    expect(given).toMatchObject([["approve the deploy?", "deploy", { ask: { id: "A" } }]]);
    const no = compose(() => false);
    expect(await outcomeOf(no.composition.resolve(A, wait().context))).toEqual({ value: "Deny" });
    const nonsense = compose((() => "yes") as never);
    expect(await outcomeOf(nonsense.composition.resolve(A, wait().context))).toEqual({ code: "bad_record" });
  });

  it("asks no interactive member in an unattended run", async () => {
    const attended = new HeldMember(true);
    const { composition, clock } = compose(attended);
    const context = { ...wait().context, isNonInteractive: true };
    expect(await outcomeOf(composition.resolve(A, context))).toEqual({ code: "ask_unavailable" });
    expect(attended.isAsked).toBe(false);
    expect(clock.timerCount).toBe(0);
    let isCalled = false;
    const plain = compose(() => {
      isCalled = true;
      return true;
    });
    expect(await outcomeOf(plain.composition.resolve(A, context))).toEqual({ code: "ask_unavailable" });
    expect(isCalled).toBe(false);
    expect(getEventListeners(context.signal, "abort")).toEqual([]);
  });

  it("counts a member that does not say so as interactive, and asks another one", async () => {
    const context = { ...wait().context, isNonInteractive: true };
    const silent = compose({ resolve: () => YES });
    expect(await outcomeOf(silent.composition.resolve(A, context))).toEqual({ code: "ask_unavailable" });
    const remote = compose({ interactive: false, resolve: () => YES });
    expect(await outcomeOf(remote.composition.resolve(A, context))).toEqual({ value: YES });
  });

  it("tells its member once how the call ended, and only when it was asked", async () => {
    const member = new HeldMember();
    const { composition, outcome } = await put(member);
    await composition.settled?.(pendingAsk("B"), "completed");
    expect(member.told).toEqual([]);
    member.give(YES);
    await outcome;
    await composition.settled?.(A, "completed");
    await composition.settled?.(A, "completed");
    expect(member.told).toEqual([["A", "completed"]]);
  });

  it("ends a wait whose call has ended", async () => {
    const member = new HeldMember();
    const { composition, outcome, nothingIsLeft } = await put(member);
    await composition.settled?.(A, "stopped");
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    expect(member.calledOff).toBe("ask_cancelled");
    expect(member.told).toEqual([["A", "stopped"]]);
    nothingIsLeft();
  });

  it("decides inside the call that answers a channel", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const { waiting, outcome } = await put(resolver);
    const status = approver.answer(A, YES);
    waiting.expire();
    expect(await status).toBe("delivered");
    expect(await outcome).toEqual({ value: YES });
    const again = await put(resolver);
    again.waiting.expire();
    expect(await approver.answer(A, YES)).toBe("expired");
    expect(await again.outcome).toEqual({ code: "ask_expired" });
    expect(resolver.load()).toEqual(EMPTY);
  });

  it("asks the way a resolver was changed to be asked", async () => {
    const { resolver } = ApprovalChannel.pair(1, SILENT);
    resolver.resolve = async () => YES;
    const { outcome } = await put(resolver);
    expect(await outcome).toEqual({ value: YES });
    expect(resolver.load()).toEqual(EMPTY);
  });

  it("never makes an unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    const member = new HeldMember();
    const { composition } = compose(member);
    const waiting = wait();
    void composition.resolve(A, waiting.context);
    await turn();
    waiting.cancel();
    member.fail(new Error("too late"));
    void composition.resolve(A, waiting.context);
    await turn();
    process.off("unhandledRejection", onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

describe("a composition whose clock or report fails", () => {
  it("denies where no timer can be set", async () => {
    const clock = {
      now: () => 0,
      setTimer() {
        throw new PermissionGateError("storage", "no clock");
      },
    };
    const member = new HeldMember();
    const outcome = outcomeOf(withDeadline(member, 5, { clock }).resolve(A, wait().context));
    expect(await outcome).toEqual({ code: "storage" });
    expect(member.isAsked).toBe(false);
  });

  it("decides as it would have where the report throws", async () => {
    const onReport = () => {
      throw new Error("no log");
    };
    const gone = new HeldMember();
    const member = new HeldMember();
    const outcome = outcomeOf(firstAnswer([gone, member], { onReport }).resolve(A, wait().context));
    gone.failWith("ask_unavailable");
    await turn();
    member.give("Approve");
    expect(await outcome).toEqual({ value: "Approve" });
  });
});
