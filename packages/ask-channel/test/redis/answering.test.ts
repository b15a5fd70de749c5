import { RedisProcess, TcpProxy } from "@x/redis-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;

let server: RedisProcess;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

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

describe("an answer whose reply was lost", () => {
  it("reads delivered when it is given again under its answerId, and already_answered without one", async () => {
    const channel = channelOn(server);
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver();
    const redis = client(proxy);
    const approver = channel.approver({ redis, timeoutMs: 300 });
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "the ask is listed");

    proxy.dropReplies();
    expect(await outcomeOf(approver.answer(A, YES, { answerId: "one" }))).toEqual({ code: "storage" });
    expect(await answer).toEqual(YES);
    proxy.restore();
    proxy.cut();
    await redis.ping();
    expect(await approver.answer(A, YES, { answerId: "one" })).toBe("delivered");
    expect(await approver.answer(A, YES)).toBe("already_answered");
    expect(await approver.answer(A, "Deny", { answerId: "one" })).toBe("already_answered");
    await resolver.settled(A, "completed");
    expect(await approver.answer(A, YES, { answerId: "one" })).toBe("delivered");
    await proxy.close();
  });

  it("counts once when the client sends it again by itself after the connection was cut", async () => {
    const channel = channelOn(server);
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver();
    const approver = channel.approver({ redis: client(proxy) });
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "the ask is listed");
    proxy.dropReplies();
    const status = approver.answer(A, YES);
    expect(await answer).toEqual(YES);
    proxy.cut();
    expect(await status).toBe("delivered");
    await proxy.close();
  });
});

describe("a worker whose replies are lost", () => {
  it("leaves no ghost of an ask that it was told not to be put", async () => {
    const channel = channelOn(server);
    const proxy = await TcpProxy.start(server);
    const redis = client(proxy);
    const resolver = channel.resolver({ redis, timeoutMs: 300 });
    const approver = channel.approver();
    // It knows the scripts and the server's clock from now on.
    void approver.nextPending().then((ask) => ask && approver.answer(ask, "Deny"));
    await resolver.resolve(pendingAsk("first"), wait().context);

    proxy.dropReplies();
    expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual({ code: "ask_unavailable" });
    expect(await approver.list()).toMatchObject([{ id: "A" }]);
    proxy.restore();
    proxy.cut();
    await until(async () => (await approver.list()).length === 0, "the ask is taken down");
    expect(await approver.answer(A, "Approve")).toBe("cancelled");
    await proxy.close();
  });

  it("takes an answer once, though it is consumed twice", async () => {
    const channel = channelOn(server);
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver({ redis: client(proxy), timeoutMs: 300, leaseMs: 600 });
    const approver = channel.approver();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "the ask is listed");
    proxy.dropReplies();
    expect(await approver.answer(A, YES)).toBe("delivered");
    await new Promise((resolve) => setTimeout(resolve, 400));
    proxy.restore();
    proxy.cut();
    expect(await answer).toEqual(YES);
    expect(await approver.openClaims()).toMatchObject([{ ask: A, answer: YES }]);
    await proxy.close();
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

describe("a claim", () => {
  it("is open from the taking of the answer until the call has ended", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    const before = Date.now();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    expect(await approver.openClaims()).toEqual([]);
    await approver.answer(A, YES);
    await answer;
    const [claim, ...others] = await approver.openClaims();
    expect(claim).toMatchObject({ ask: A, answer: YES });
    expect(claim?.claimed_at_ms).toBeGreaterThanOrEqual(before - 1);
    expect(others).toEqual([]);
    await resolver.settled(A, "completed");
    expect(await approver.openClaims()).toEqual([]);
    expect(await approver.answer(A, YES)).toBe("already_answered");
  });

  it("is closed by nobody but the worker that took the answer", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    await approver.answer(A, YES);
    await answer;
    await channel.resolver().settled(A, "completed");
    expect(await approver.openClaims()).toHaveLength(1);
  });

  it("does not stay open for a call that was cancelled while its answer was taken", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    for (let round = 0; round < 20; round += 1) {
      const ask = pendingAsk(`ask-${round}`);
      const waiting = wait();
      const outcome = outcomeOf(resolver.resolve(ask, waiting.context));
      await until(async () => (await approver.list()).length === 1, "it is listed");
      const status = approver.answer(ask, YES);
      if (round % 2 === 0) await status;
      waiting.cancel();
      await status;
      await outcome;
      const isCancelled = "code" in (await outcome);
      if (!isCancelled) await resolver.settled(ask, "completed");
      await until(async () => (await approver.openClaims()).length === 0, "no claim is open");
    }
  });
});
