import { getEventListeners } from "node:events";
import type { AskAnswer, ReportEvent } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { ApprovalChannel } from "../src/index.js";
import { EMPTY, outcomeOf, pendingAsk, wait } from "./support/asks.js";

const A = pendingAsk("A");
const B = pendingAsk("B");

describe("single use", () => {
  it("delivers one answer and calls the second already_answered", async () => {
    const { resolver, approver } = ApprovalChannel.pair(4);
    const answer = resolver.resolve(A, wait().context);
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    expect(await approver.answer(A, "Deny")).toBe("already_answered");
    expect(await approver.resolve("A", "Deny")).toBe(false);
    expect(await answer).toBe("Approve");
  });

  it("gives the answer's object to the waiting side", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const given: AskAnswer = {
      resolution: "Deny",
      reason: "not on a Friday",
      decided_by: "ana",
      remember: "this_call",
    };
    const answer = resolver.resolve(A, wait().context);
    await approver.answer(A, given);
    expect(await answer).toEqual(given);
  });

  it("calls an ask that was never parked unknown", async () => {
    const { approver } = ApprovalChannel.pair(1);
    expect(await approver.answer(A, "Approve")).toBe("unknown");
    expect(await approver.resolve("A", "Approve")).toBe(false);
  });

  it("reads delivered again for the same answer with the same answerId only", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const answer = resolver.resolve(A, wait().context);
    expect(await approver.answer(A, "Approve", { answerId: "1" })).toBe("delivered");
    expect(await approver.answer(A, { resolution: "Approve" }, { answerId: "1" })).toBe("delivered");
    expect(await approver.answer(A, "Deny", { answerId: "1" })).toBe("already_answered");
    expect(await approver.answer(A, "Approve", { answerId: "2" })).toBe("already_answered");
    expect(await approver.answer(A, "Approve")).toBe("already_answered");
    expect(await approver.answer({ ...A, args_digest: B.args_digest }, "Approve", { answerId: "1" })).toBe(
      "mismatch",
    );
    expect(await answer).toBe("Approve");
  });

  it("does not give a repeated answer to a later ask of the same id", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    void resolver.resolve(A, wait().context);
    await approver.answer(A, "Approve", { answerId: "1" });
    const again = resolver.resolve(A, wait().context);
    expect(await approver.answer(A, "Approve", { answerId: "1" })).toBe("delivered");
    expect(await approver.list()).toEqual([A]);
    expect(await approver.answer(A, "Deny", { answerId: "2" })).toBe("delivered");
    expect(await again).toBe("Deny");
  });

  it("refuses an ask whose id waits already, and leaves the first waiting", async () => {
    const { resolver, approver } = ApprovalChannel.pair(2);
    const first = resolver.resolve(A, wait().context);
    expect(await outcomeOf(resolver.resolve({ ...A }, wait().context))).toEqual({ code: "ask_unavailable" });
    expect(await approver.list()).toEqual([A]);
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    expect(await first).toBe("Approve");
  });

  it("remembers the last thousand endings and calls older ones unknown", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const asks = Array.from({ length: 1_001 }, (_, index) => pendingAsk(`ask-${index}`));
    for (const ask of asks) {
      void resolver.resolve(ask, wait().context);
      await approver.answer(ask, "Deny");
    }
    const [first = A, second = A] = asks;
    expect(await approver.answer(first, "Deny")).toBe("unknown");
    expect(await approver.answer(second, "Deny")).toBe("already_answered");
  });
});

describe("bound", () => {
  it("refuses an answer whose digest is another call's, and the ask goes on waiting", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const answer = resolver.resolve(A, wait().context);
    expect(await approver.answer({ id: "A", args_digest: B.args_digest }, "Approve")).toBe("mismatch");
    expect(await approver.list()).toEqual([A]);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toBe("Deny");
  });

  it("stays bound to the ask as it was parked, whoever changes what they were shown", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const parked = pendingAsk("A", { rememberable: ["this_call"] });
    const answer = resolver.resolve(parked, wait().context);
    const shown = await approver.nextPending();
    parked.args_digest = B.args_digest;
    shown?.rememberable?.push("this_tool");
    expect(await approver.list()).toEqual([pendingAsk("A", { rememberable: ["this_call"] })]);
    expect(await approver.answer(parked, "Approve")).toBe("mismatch");
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toBe("Deny");
  });

  it("hands over an input that the approver can no longer change, and no ask_id of the approver's", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const modified = { target: "/staging" };
    const answer = resolver.resolve(A, wait().context);
    await approver.answer(A, { resolution: "Approve", modified_input: modified, ask_id: "other" });
    modified.target = "/prod";
    expect(await answer).toEqual({ resolution: "Approve", modified_input: { target: "/staging" } });
  });

  it("[CASE-097] leaves the others waiting when one of several is answered", async () => {
    const { resolver, approver } = ApprovalChannel.pair(4);
    const [q1, q2, q3, q4] = ["q1", "q2", "q3", "q4"].map((id) => pendingAsk(id)) as [
      typeof A,
      typeof A,
      typeof A,
      typeof A,
    ];
    const first = resolver.resolve(q1, wait().context);
    for (const ask of [q2, q3, q4]) void resolver.resolve(ask, wait().context);
    await approver.answer(q1, "Deny");
    await approver.answer(q3, { resolution: "Approve", remember: "this_call" });
    expect(await first).toBe("Deny");
    expect(await approver.list()).toEqual([q2, q4]);
  });
});

describe("fail closed", () => {
  it.each([
    true,
    "approve",
    "",
    null,
    undefined,
    {},
    { resolution: true },
    { resolution: "Approve", remember: "always" },
    { resolution: "Deny", modified_input: 1 },
  ])("refuses %j with bad_record and leaves the ask waiting", async (malformed) => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const answer = resolver.resolve(A, wait().context);
    expect(await outcomeOf(approver.answer(A, malformed as never))).toEqual({ code: "bad_record" });
    expect(await outcomeOf(approver.resolve("A", malformed as never))).toEqual({ code: "bad_record" });
    expect(await approver.list()).toEqual([A]);
    await approver.answer(A, "Deny");
    expect(await answer).toBe("Deny");
  });

  it("denies all that wait and all that come once the approver was closed, and says how many", async () => {
    const reports: ReportEvent[] = [];
    const { resolver, approver } = ApprovalChannel.pair(1, { onReport: (event) => reports.push(event) });
    const reader = approver.nextPending();
    const answers = [A, B].map((ask) => resolver.resolve(ask, wait().context));
    await reader;
    await approver.close();
    expect(await Promise.all(answers)).toEqual(["Deny", "Deny"]);
    expect(await resolver.resolve(pendingAsk("C"), wait().context)).toBe("Deny");
    expect(await approver.answer(A, "Approve")).toBe("already_answered");
    expect(await approver.answer(pendingAsk("C"), "Approve")).toBe("already_answered");
    expect(await approver.nextPending()).toBeNull();
    expect(reports).toEqual([{ level: "warn", message: "approver closed: 2 waiting asks denied" }]);
    await approver.close();
    expect(reports).toHaveLength(1);
    expect(resolver.load()).toEqual(EMPTY);
  });

  it("closes with `await using`, and says nothing when nobody waited", async () => {
    const reports: ReportEvent[] = [];
    const { resolver, approver } = ApprovalChannel.pair(1, { onReport: (event) => reports.push(event) });
    await approver[Symbol.asyncDispose]();
    expect(await resolver.resolve(A, wait().context)).toBe("Deny");
    expect(reports).toEqual([]);
  });

  it("parks nothing once the resolver was closed, and lets what waits be answered", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const answer = resolver.resolve(A, wait().context);
    await resolver.close();
    expect(await outcomeOf(resolver.resolve(B, wait().context))).toEqual({ code: "ask_unavailable" });
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    expect(await answer).toBe("Approve");
  });
});

describe("the end of a wait", () => {
  it.each([
    ["cancel", "ask_cancelled", "cancelled"],
    ["expire", "ask_expired", "expired"],
    ["answeredElsewhere", "ask_answered", "already_answered"],
  ] as const)(
    "rejects with the signal's reason after %s, and an answer then reads %s → %s",
    async (how, code, status) => {
      const { resolver, approver } = ApprovalChannel.pair(1);
      const waiting = wait();
      const answer = resolver.resolve(A, waiting.context);
      waiting[how]();
      expect(await approver.answer(A, "Approve")).toBe(status);
      expect(await approver.resolve("A", "Approve")).toBe(false);
      expect(await outcomeOf(answer)).toEqual({ code });
      expect(await approver.list()).toEqual([]);
      expect(resolver.load()).toEqual(EMPTY);
    },
  );

  it("calls an abort without one of our reasons a cancel", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const controller = new AbortController();
    void resolver.resolve(A, { signal: controller.signal });
    controller.abort();
    expect(await approver.answer(A, "Approve")).toBe("cancelled");
  });

  it("never parks under a signal that is already aborted", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const waiting = wait();
    waiting.cancel();
    expect(await outcomeOf(resolver.resolve(A, waiting.context))).toEqual({ code: "ask_cancelled" });
    expect(await approver.list()).toEqual([]);
    expect(await approver.answer(A, "Approve")).toBe("unknown");
  });

  it("[CASE-132] an answer after the run was stopped is told so and changes nothing, also after the call settled", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const waiting = wait();
    const answer = resolver.resolve(A, waiting.context);
    await approver.nextPending();
    waiting.cancel();
    expect(await approver.answer(A, { resolution: "Approve", remember: "this_call" })).toBe("cancelled");
    resolver.settled(A, "cancelled");
    expect(await approver.answer(A, "Approve")).toBe("cancelled");
    expect(await outcomeOf(answer)).toEqual({ code: "ask_cancelled" });
  });

  it("[CASE-133] of an answer and a deadline in one turn of the loop, the first wins and the status says which", async () => {
    const { resolver, approver } = ApprovalChannel.pair(2);
    const early = wait();
    const late = wait();
    const answers = [resolver.resolve(A, early.context), resolver.resolve(B, late.context)];
    const statusA = approver.answer(A, "Approve");
    early.expire();
    late.expire();
    const statusB = approver.answer(B, "Approve");
    expect(await Promise.all([statusA, statusB])).toEqual(["delivered", "expired"]);
    expect(await Promise.all(answers.map((answer) => outcomeOf(answer)))).toEqual([
      { value: "Approve" },
      { code: "ask_expired" },
    ]);
  });

  it("[CASE-133] an answer reaches a waiting gate before a deadline that fires later in the same turn", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const order: string[] = [];
    void resolver.resolve(A, wait().context).then(() => order.push("answer"));
    void approver.answer(A, "Approve");
    queueMicrotask(() => order.push("deadline"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(["answer", "deadline"]);
  });

  it("[CASE-141] leaves no listener on a signal that many asks share, one after the other", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const { context, signal } = wait();
    for (let index = 0; index < 500; index += 1) {
      const ask = pendingAsk(`ask-${index}`);
      const answer = resolver.resolve(ask, context);
      expect(getEventListeners(signal, "abort")).toHaveLength(1);
      await approver.answer(ask, "Approve");
      await answer;
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    }
  });

  it("ends a wait whose call has ended", async () => {
    const { resolver, approver } = ApprovalChannel.pair(2);
    const answers = [resolver.resolve(A, wait().context), resolver.resolve(B, wait().context)];
    resolver.settled(A, "completed");
    resolver.settled(B, "cancelled");
    resolver.settled(B, "cancelled");
    expect(await Promise.all(answers.map((answer) => outcomeOf(answer)))).toEqual([
      { code: "ask_answered" },
      { code: "ask_cancelled" },
    ]);
    expect(await approver.answer(A, "Approve")).toBe("already_answered");
    expect(await approver.answer(B, "Approve")).toBe("cancelled");
    expect(resolver.load()).toEqual(EMPTY);
  });
});

describe("order and room", () => {
  it("delivers in park order and skips what ended while queued", async () => {
    const { resolver, approver } = ApprovalChannel.pair(8);
    const waits = ["1", "2", "3", "4", "5"].map((id) => {
      const waiting = wait();
      void resolver.resolve(pendingAsk(id), waiting.context);
      return waiting;
    });
    waits[0]?.expire();
    await approver.answer(pendingAsk("3"), "Approve");
    expect((await approver.nextPending())?.id).toBe("2");
    waits[3]?.cancel();
    expect((await approver.nextPending())?.id).toBe("5");
    expect((await approver.list()).map((ask) => ask.id)).toEqual(["2", "5"]);
  });

  it.each([0, -1, 1, 1.9])(
    "with capacity %j holds one and makes the next wait for room",
    async (capacity) => {
      const { resolver, approver } = ApprovalChannel.pair(capacity);
      const answers = [A, B].map((ask) => resolver.resolve(ask, wait().context));
      expect(resolver.load()).toEqual({ waiting: 2, queued: 1, waitingForRoom: 1, readers: 0 });
      expect(await approver.list()).toEqual([A, B]);
      expect(await approver.nextPending()).toEqual(A);
      expect(resolver.load()).toEqual({ waiting: 2, queued: 1, waitingForRoom: 0, readers: 0 });
      expect(await approver.nextPending()).toEqual(B);
      await approver.answer(A, "Approve");
      await approver.answer(B, "Approve");
      expect(await Promise.all(answers)).toEqual(["Approve", "Approve"]);
    },
  );

  it("refuses a capacity that is no number", () => {
    expect(() => ApprovalChannel.pair(Number.NaN)).toThrow("capacity must be a number");
  });

  it("takes the answer of an ask that still waits for room", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    void resolver.resolve(A, wait().context);
    const answer = resolver.resolve(B, wait().context);
    expect(await approver.resolve("B", "Approve")).toBe(true);
    expect(await answer).toBe("Approve");
    expect(await approver.nextPending()).toEqual(A);
    expect(resolver.load()).toMatchObject({ queued: 0, waitingForRoom: 0 });
  });

  it("serves readers that wait together in order, and aborting one takes nothing from the others", async () => {
    const { resolver, approver } = ApprovalChannel.pair(2);
    const leaving = new AbortController();
    const readers = [
      approver.nextPending(),
      approver.nextPending({ signal: leaving.signal }),
      approver.nextPending({ signal: new AbortController().signal }),
    ];
    expect(resolver.load().readers).toBe(3);
    leaving.abort(new Error("left"));
    await expect(readers[1]).rejects.toThrow("left");
    for (const ask of [A, B]) void resolver.resolve(ask, wait().context);
    expect(await readers[0]).toEqual(A);
    expect(await readers[2]).toEqual(B);
    expect(resolver.load().readers).toBe(0);
  });

  it("takes no ask for a reader whose signal is already aborted", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    void resolver.resolve(A, wait().context);
    await expect(approver.nextPending({ signal: AbortSignal.abort(new Error("left")) })).rejects.toThrow(
      "left",
    );
    expect(await approver.nextPending()).toEqual(A);
  });

  it("leaves no listener on a reader's signal once it was served", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    const { signal } = new AbortController();
    const reader = approver.nextPending({ signal });
    void resolver.resolve(A, wait().context);
    await reader;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("end of stream", () => {
  it("gives null to everybody who reads once the approver was closed", async () => {
    const { approver } = ApprovalChannel.pair(1);
    const readers = [approver.nextPending(), approver.nextPending()];
    await approver.close();
    expect(await Promise.all(readers)).toEqual([null, null]);
    expect(await approver.nextPending()).toBeNull();
  });

  it("gives null after the resolver's close only when everything was delivered", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1);
    for (const ask of [A, B]) void resolver.resolve(ask, wait().context);
    await resolver.close();
    await resolver.close();
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.nextPending()).toEqual(B);
    expect(await approver.nextPending()).toBeNull();
  });

  it("ends `for await` with the stream", async () => {
    const { resolver, approver } = ApprovalChannel.pair(2);
    const answers = [A, B].map((ask) => resolver.resolve(ask, wait().context));
    await resolver.close();
    for await (const ask of approver) expect(await approver.answer(ask, "Approve")).toBe("delivered");
    expect(await Promise.all(answers)).toEqual(["Approve", "Approve"]);
  });

  it("closes nothing when `for await` is left early", async () => {
    const { resolver, approver } = ApprovalChannel.pair(2);
    const answers = [A, B].map((ask) => resolver.resolve(ask, wait().context));
    for await (const ask of approver) {
      await approver.answer(ask, "Approve");
      break;
    }
    expect(await approver.list()).toEqual([B]);
    for await (const ask of approver) {
      await approver.answer(ask, "Deny");
      break;
    }
    expect(await Promise.all(answers)).toEqual(["Approve", "Deny"]);
  });
});

describe("the pair", () => {
  it("gives its sides by position and by name, and asks unattended runs unless told otherwise", () => {
    const pair = ApprovalChannel.pair(1);
    const [resolver, approver] = pair;
    expect(pair.resolver).toBe(resolver);
    expect(pair.approver).toBe(approver);
    expect(resolver.interactive).toBe(false);
    expect(ApprovalChannel.pair(1, { interactive: true }).resolver.interactive).toBe(true);
  });
});
