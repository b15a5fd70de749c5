import { ManualClock } from "@x/permission-core/testing";
import { TcpProxy } from "@x/redis-server";
import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { type ClientOptions, channelOn, client, ownServer, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;
const asks = Array.from({ length: 50 }, (_, at) => pendingAsk(`ask-${at}`));

describe("Redis that is killed and comes back empty", () => {
  it("is given the asks again, and they are answered: none approves by itself", async () => {
    const server = await ownServer();
    const channel = channelOn(server, { timeoutMs: 1_000, leaseMs: 60_000 });
    const resolver = channel.resolver();
    const approver = channel.approver();
    const outcomes: string[] = [];
    const waiting = wait();
    const answers = asks.map(async (ask) => {
      const answer = await resolver.resolve(ask, waiting.context);
      outcomes.push(ask.id);
      return answer;
    });
    await until(async () => (await approver.list()).length === asks.length, "all are parked");
    await server.kill();
    await server.start();
    await until(
      async () => (await approver.list().catch(() => [])).length === asks.length,
      "all are parked again",
    );
    expect(outcomes).toEqual([]);
    expect(new Set(await Promise.all(asks.map((ask) => approver.answer(ask, YES))))).toEqual(
      new Set(["delivered"]),
    );
    expect(await Promise.all(answers)).toEqual(asks.map(() => YES));
  });

  it("is asked again what was answered but not yet read: the one thing that is lost", async () => {
    const server = await ownServer();
    const channel = channelOn(server);
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver({ redis: client(proxy), timeoutMs: 1_500, leaseMs: 60_000 });
    const approver = channel.approver();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is parked");
    proxy.partition();
    expect(await approver.answer(A, YES, { answerId: "one" })).toBe("delivered");
    await server.kill();
    await server.start();
    proxy.restore();
    await until(async () => (await approver.list().catch(() => [])).length === 1, "it is asked again");
    expect(await approver.answer(A, YES, { answerId: "one" })).toBe("delivered");
    expect(await answer).toEqual(YES);
    await proxy.close();
  });

  it("shows a reader what waits then, and no ask of before that ended", async () => {
    const server = await ownServer();
    const channel = channelOn(server, { timeoutMs: 1_000, leaseMs: 60_000 });
    const resolver = channel.resolver();
    const approver = channel.approver();
    const [B, C] = [pendingAsk("B"), pendingAsk("C")];
    const cancelled = wait();
    const reading = approver.nextPending();
    for (const [ask, { context }] of [
      [A, wait()],
      [B, cancelled],
      [C, wait()],
    ] as const)
      void outcomeOf(resolver.resolve(ask, context));
    expect(await reading).toEqual(A);
    await until(() => approver.load().unread === 2, "it knows the others");
    await server.kill();
    cancelled.cancel();
    await server.start();
    // What was read before may come again: it was parked again, for all that anybody knows now.
    const read: (string | undefined)[] = [];
    while (!read.includes("C")) read.push((await approver.nextPending())?.id);
    expect(read).not.toContain("B");
    await until(() => approver.load().known === 2, "it knows those that wait");
  });
});

describe("Redis that is stopped for a while", () => {
  it.each<[string, ClientOptions]>([
    ["default settings", {}],
    ["maxRetriesPerRequest: null", { maxRetriesPerRequest: null }],
  ])(
    "settles every ask once when it goes on, answers given meanwhile included: %s",
    async (_name, options) => {
      const server = await ownServer();
      const channel = channelOn(server, { timeoutMs: 1_500, leaseMs: 1_500 });
      const resolver = channel.resolver({ redis: client(server, options) });
      const approver = channel.approver({ redis: client(server, options) });
      const answers = asks.map((ask) => resolver.resolve(ask, wait().context));
      await until(async () => (await approver.list()).length === asks.length, "all are parked");
      await server.pause();
      const answerAll = () =>
        Promise.all(asks.map((ask) => outcomeOf(approver.answer(ask, YES, { answerId: ask.id }))));
      expect(await answerAll()).toEqual(asks.map(() => ({ code: "storage" })));
      server.resume();
      expect(await answerAll()).toEqual(asks.map(() => ({ value: "delivered" })));
      expect(await Promise.all(answers)).toEqual(asks.map(() => YES));
      expect(await approver.openClaims()).toHaveLength(asks.length);
    },
  );
});

describe("Redis that is down", () => {
  it.each<[string, ClientOptions]>([
    ["default settings", {}],
    ["maxRetriesPerRequest: null", { maxRetriesPerRequest: null }],
    ["lazyConnect", { lazyConnect: true }],
    ["no offline queue", { enableOfflineQueue: false }],
    ["a client that gives up", { retryStrategy: () => null }],
  ])("makes a new ask unavailable within the bound: %s", async (_name, options) => {
    const server = await ownServer();
    await server.kill();
    const channel = channelOn(server, { timeoutMs: 300 });
    const resolver = channel.resolver({ redis: client(server, options) });
    const start = performance.now();
    expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual({ code: "ask_unavailable" });
    expect(performance.now() - start).toBeLessThan(3_000);
    const approver = channel.approver({ redis: client(server, options) });
    expect(await outcomeOf(approver.answer(A, "Approve"))).toEqual({ code: "storage" });
    expect(await outcomeOf(approver.list())).toEqual({ code: "storage" });
  });

  it("ends no wait but by its deadline, which goes by the waiter's own clock", async () => {
    const server = await ownServer();
    const clock = new ManualClock();
    const channel = channelOn(server, { timeoutMs: 300, clock });
    const resolver = channel.resolver();
    const approver = channel.approver();
    const ask = pendingAsk("A", { expires_at_ms: clock.now() + 60_000 });
    let [isParked, isOver] = [false, false];
    const onParked = () => {
      isParked = true;
    };
    const outcome = outcomeOf(resolver.resolve(ask, { ...wait().context, onParked })).finally(() => {
      isOver = true;
    });
    await until(async () => isParked && (await approver.list()).length === 1, "it is parked");
    await server.kill();
    clock.advance(59_999);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(isOver).toBe(false);
    clock.advance(1);
    expect(await outcome).toEqual({ code: "ask_expired" });
  });

  it("is told when it is back that an ask was cancelled meanwhile", async () => {
    const server = await ownServer();
    const channel = channelOn(server, { timeoutMs: 2_000, leaseMs: 1_500 });
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver({ redis: client(proxy) });
    const approver = channel.approver();
    const waiting = wait();
    const outcome = outcomeOf(resolver.resolve(A, waiting.context));
    await until(async () => (await approver.list()).length === 1, "it is parked");
    proxy.partition();
    waiting.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await approver.list()).toEqual([A]);
    proxy.restore();
    await until(async () => (await approver.list()).length === 0, "it is taken down");
    expect(await approver.answer(A, "Approve")).toBe("cancelled");
    await proxy.close();
  });

  it("[CASE-178] fails new asks closed, keeps what waits, and both work afterwards without a restart", async () => {
    const server = await ownServer();
    // The client's own limit of retries is reached many times over while the server is down.
    const options = { maxRetriesPerRequest: 1, retryStrategy: () => 20 };
    const channel = channelOn(server, { timeoutMs: 1_500, leaseMs: 60_000 });
    const resolver = channel.resolver({ redis: client(server, options) });
    const approver = channel.approver({ redis: client(server, options) });
    const old = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is parked");
    await server.kill();
    const late = pendingAsk("late");
    for (let round = 0; round < 5; round += 1) {
      expect(await outcomeOf(resolver.resolve(late, wait().context))).toEqual({ code: "ask_unavailable" });
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await server.start();
    await until(async () => (await approver.list().catch(() => [])).length === 1, "it is parked again");
    const young = resolver.resolve(late, wait().context);
    await until(async () => (await approver.list()).length === 2, "the new one is parked, too");
    expect(await approver.answer(A, YES)).toBe("delivered");
    expect(await approver.answer(late, "Deny")).toBe("delivered");
    expect(await Promise.all([old, young])).toEqual([YES, { resolution: "Deny" }]);
  });
});
