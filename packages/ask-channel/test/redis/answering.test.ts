import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;

const server = await serverOfFile();

describe("several approvers", () => {
  it("are all given every ask, and of their answers one wins while the others read already_answered", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approvers = Array.from({ length: 4 }, () => channel.approver());
    const shown = approvers.map((approver) => approver.nextPending());
    const answer = resolver.resolve(A, wait().context);
    expect(await Promise.all(shown)).toEqual([A, A, A, A]);
    const names = ["ana", "ben", "cleo", "dan"];
    const statuses = await Promise.all(
      approvers.map((approver, at) =>
        approver.answer(A, { resolution: "Approve", decided_by: names[at] ?? "" }),
      ),
    );
    expect(statuses.toSorted()).toEqual([
      "already_answered",
      "already_answered",
      "already_answered",
      "delivered",
    ]);
    expect(await answer).toEqual({
      resolution: "Approve",
      decided_by: names[statuses.indexOf("delivered")],
    });
  });

  it("skip what another one has answered", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const [first, second] = [channel.approver(), channel.approver()];
    const [B, C] = [pendingAsk("B"), pendingAsk("C")];
    const put = (ask: typeof A) => resolver.resolve(ask, wait().context);
    const reading = second.nextPending();
    const answers = [put(A), put(B)];
    expect(await reading).toEqual(A);
    await until(() => second.load().unread === 1, "it was told of both");
    expect(await first.answer(B, "Deny")).toBe("delivered");
    await answers[1];
    await until(() => second.load().unread === 0, "it hears of the end");
    void outcomeOf(put(C));
    expect(await second.nextPending()).toEqual(C);
  });

  it("are given nothing that ended before they began to read", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const [first, second] = [channel.approver(), channel.approver()];
    const B = pendingAsk("B");
    const answers = [A, B].map((ask) => resolver.resolve(ask, wait().context));
    await until(async () => (await second.list()).length === 2, "it knows both");
    await first.answer(A, "Deny");
    await answers[0];
    expect(await second.nextPending()).toEqual(B);
  });
});

describe("an answer that is given within the very message that shows the ask", () => {
  it("[CASE-175] is not lost, though the worker had never listened before", async () => {
    for (let round = 0; round < 20; round += 1) {
      const channel = channelOn(server, { leaseMs: 600_000 });
      const approver = channel.approver();
      const answering = approver.nextPending().then((ask) => approver.answer(ask ?? A, YES));
      await approver.list();
      expect(await channel.resolver().resolve(A, wait().context)).toEqual(YES);
      expect(await answering).toBe("delivered");
    }
  });
});

describe("an ended ask", () => {
  it("is told to late answers for as long as it is remembered, and is unknown then", async () => {
    const channel = channelOn(server, { endingsMs: 1_500 });
    const resolver = channel.resolver();
    const approver = channel.approver();
    const [expired, cancelled, elsewhere] = [wait(), wait(), wait()];
    const asks = ["expired", "cancelled", "elsewhere", "answered", "settled"].map((id) => pendingAsk(id));
    const [E = A, C = A, W = A, D = A, S = A] = asks;
    for (const [ask, { context }] of [
      [E, expired],
      [C, cancelled],
      [W, elsewhere],
      [D, wait()],
      [S, wait()],
    ] as const)
      void outcomeOf(resolver.resolve(ask, context));
    await until(async () => (await approver.list()).length === 5, "all are listed");
    expired.expire();
    cancelled.cancel();
    elsewhere.answeredElsewhere();
    await approver.answer(D, "Approve");
    await resolver.settled(S, "denied");
    await until(async () => (await approver.list()).length === 0, "all have ended");
    await resolver.settled(D, "completed");
    const statuses = () => Promise.all(asks.map((ask) => approver.answer(ask, "Approve")));
    expect(await statuses()).toEqual([
      "expired",
      "cancelled",
      "already_answered",
      "already_answered",
      "already_answered",
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect(new Set(await statuses())).toEqual(new Set(["unknown"]));
  });

  it("leaves a repeat of its answer inert, even if an ask of the same id waits again", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    const again = async () => {
      const answer = resolver.resolve(A, wait().context);
      await until(async () => (await approver.list()).length === 1, "it is listed");
      return { answer };
    };
    const first = await again();
    expect(await approver.answer(A, YES, { answerId: "one" })).toBe("delivered");
    await first.answer;
    await resolver.settled(A, "completed");
    const second = await again();
    expect(await approver.answer(A, YES, { answerId: "one" })).toBe("delivered");
    expect(await approver.list()).toEqual([A]);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await second.answer).toEqual({ resolution: "Deny" });
  });
});

describe("an approver that comes late", () => {
  it("lists and is given what is pending, in park order", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const asks = Array.from({ length: 450 }, (_, at) => pendingAsk(`ask-${(at * 7) % 10}-${at}`));
    const early = channel.approver();
    const answers = asks.map((ask) => resolver.resolve(ask, wait().context));
    await until(async () => (await early.list()).length === asks.length, "all are parked");
    const late = channel.approver();
    expect(await late.list()).toEqual(asks);
    const later = channel.approver();
    for (const ask of asks) expect(await later.nextPending()).toEqual(ask);
    expect(new Set(await Promise.all(asks.map((ask) => late.answer(ask, "Deny"))))).toEqual(
      new Set(["delivered"]),
    );
    expect(await Promise.all(answers)).toEqual(asks.map(() => ({ resolution: "Deny" })));
  });
});
