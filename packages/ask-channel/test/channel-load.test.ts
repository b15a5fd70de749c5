import { getEventListeners } from "node:events";
import type { PendingAsk } from "@x/permission-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ApprovalChannel } from "../src/index.js";
import { EMPTY, outcomeOf, pendingAsk, wait } from "./support/asks.js";

const many: PendingAsk[] = Array.from({ length: 10_000 }, (_, index) => pendingAsk(`ask-${index}`));

function processWarnings(): Error[] {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  return warnings;
}

describe("ten thousand asks at once", () => {
  it("all get their own answer, in park order, on one signal and without a warning", async () => {
    const warnings = processWarnings();
    const { resolver, approver } = ApprovalChannel.pair(16);
    const { context, signal } = wait();
    const answers = many.map((ask) => resolver.resolve(ask, context));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    expect(resolver.load()).toEqual({ waiting: 10_000, queued: 16, waitingForRoom: 9_984, readers: 0 });
    const seen: string[] = [];
    for (let index = 0; index < many.length; index += 1) {
      const ask = await approver.nextPending();
      if (ask === null) break;
      seen.push(ask.id);
      void approver.answer(ask, index % 2 === 0 ? "Approve" : "Deny");
    }
    expect(seen).toEqual(many.map((ask) => ask.id));
    expect(await Promise.all(answers)).toEqual(
      many.map((_, index) => (index % 2 === 0 ? "Approve" : "Deny")),
    );
    expect(resolver.load()).toEqual(EMPTY);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(warnings).toEqual([]);
  });

  it("all end with one cancel, and leave nothing", async () => {
    const warnings = processWarnings();
    const { resolver, approver } = ApprovalChannel.pair(16);
    const waiting = wait();
    const outcomes = many.map((ask) => outcomeOf(resolver.resolve(ask, waiting.context)));
    waiting.cancel();
    expect(resolver.load()).toEqual(EMPTY);
    expect(await approver.answer(pendingAsk("ask-9999"), "Approve")).toBe("cancelled");
    expect(new Set((await Promise.all(outcomes)).map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set(['{"code":"ask_cancelled"}']),
    );
    expect(getEventListeners(waiting.signal, "abort")).toHaveLength(0);
    expect(warnings).toEqual([]);
  });

  it("never produce an unhandled rejection, even when nobody looks at their promises", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
    const { resolver } = ApprovalChannel.pair(1, { onReport: () => {} });
    const waiting = wait();
    for (const ask of many) void resolver.resolve(ask, waiting.context);
    waiting.expire();
    for (const ask of many.slice(0, 10)) void resolver.resolve(ask, waiting.context);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});

describe("readers and askers at the same time", () => {
  it("deliver every ask to exactly one of eight readers", async () => {
    const { resolver, approver } = ApprovalChannel.pair(4);
    const seen: string[] = [];
    const read = async () => {
      for await (const ask of approver) {
        seen.push(ask.id);
        expect(await approver.answer(ask, "Approve")).toBe("delivered");
      }
    };
    const readers = Array.from({ length: 8 }, read);
    const asks = many.slice(0, 1_000);
    const answers = await Promise.all(asks.map((ask) => resolver.resolve(ask, wait().context)));
    await resolver.close();
    await Promise.all(readers);
    expect(new Set(answers)).toEqual(new Set(["Approve"]));
    expect(seen.toSorted()).toEqual(asks.map((ask) => ask.id).toSorted());
  });
});
