import { TcpProxy } from "@x/redis-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, wait } from "../support/asks.js";
import { channelOn, client, ownServer, serverOfFile, until } from "./support/channels.js";
import { AGAIN, LEFT, workerThatDies, YES } from "./support/left-behind.js";

const server = await serverOfFile();

describe("a process that asks about a call for which another one waits", () => {
  it("is refused with already_waiting, well before the other's lease has run out", async () => {
    const channel = channelOn(server);
    const approver = channel.approver();
    const answer = channel.resolver().resolve(LEFT, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    const start = performance.now();
    expect(await outcomeOf(channel.resolver().resolve(AGAIN, wait().context))).toEqual({
      code: "already_waiting",
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(await approver.list()).toEqual([LEFT]);
    await approver.answer(LEFT, YES);
    expect(await answer).toEqual(YES);
  });

  it("is refused at once where it is the same process with another ask, and soon where it is another with the same", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    void outcomeOf(resolver.resolve(LEFT, wait().context));
    for (const ask of [AGAIN, { ...LEFT, prompt: "another?" }])
      expect(await outcomeOf(resolver.resolve(ask, wait().context))).toEqual({ code: "already_waiting" });
    await until(async () => (await approver.list()).length === 1, "it is listed");
    expect(await outcomeOf(channel.resolver().resolve(LEFT, wait().context))).toEqual({
      code: "already_waiting",
    });
  });

  it("is refused also where the other takes its answer while it waits to see, and its call ends", async () => {
    const channel = channelOn(server);
    const approver = channel.approver();
    const redis = client(server);
    const first = channel.resolver({ leaseMs: 60_000 });
    const answer = first.resolve(LEFT, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    // Its lease is never seen to change: the message that asks for a sign of life does not come to it.
    const { worker } =
      /^(?<worker>[^/]*)/.exec((await redis.hget(`${channel.base}ask:left`, "wait")) ?? "")?.groups ?? {};
    await redis.hset(`${channel.base}ask:left`, "wait", "nobody/1");
    const second = outcomeOf(channel.resolver({ leaseMs: 60_000 }).resolve(AGAIN, wait().context));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await redis.hset(`${channel.base}ask:left`, "wait", `${worker}/1`);
    await approver.answer(LEFT, YES);
    await answer;
    await first.settled(LEFT, "completed");
    expect(await second).toEqual({ code: "already_waiting" });
    expect(await approver.list()).toEqual([]);
  });

  it("may be cancelled while it waits to see whether the other lives", async () => {
    const channel = channelOn(server);
    await workerThatDies(server, channel, LEFT);
    const waiting = wait();
    const outcome = outcomeOf(channel.resolver({ leaseMs: 60_000 }).resolve(AGAIN, waiting.context));
    await new Promise((resolve) => setTimeout(resolve, 20));
    waiting.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
  });

  it("takes the ask over where the other was held up for longer than its lease, which then learns of it", async () => {
    const channel = channelOn(server);
    const stuck = client(server);
    const resolver = channel.resolver({ redis: stuck, leaseMs: 400, timeoutMs: 200 });
    const first = outcomeOf(resolver.resolve(LEFT, wait().context));
    const approver = channel.approver();
    await until(async () => (await approver.list()).length === 1, "it is listed");
    const redis = client(server);
    await redis.hset(`${channel.base}ask:left`, "lease", "1");
    const second = channel.resolver({ leaseMs: 60_000 }).resolve(AGAIN, wait().context);
    expect(await first).toEqual({ code: "already_waiting" });
    await approver.answer(LEFT, YES);
    expect(await second).toEqual({ ...YES, ask_id: "left" });
  });
});

describe("a process that asks about a call for which nobody waits any more", () => {
  it("puts an ask of its own, where the other was called off after it was answered and before it read that", async () => {
    const channel = channelOn(server, { leaseMs: 5_000 });
    const approver = channel.approver();
    const proxy = await TcpProxy.start(server);
    onTestFinished(() => proxy.close());
    const ending = wait();
    const first = channel.resolver({ redis: client(proxy) });
    const called = outcomeOf(first.resolve(LEFT, ending.context));
    await until(async () => (await approver.list()).length === 1, "it is listed");
    proxy.partition();
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    void outcomeOf(channel.resolver().resolve(AGAIN, wait().context));
    await new Promise((resolve) => setTimeout(resolve, 100));
    ending.cancel();
    expect(await called).toEqual({ code: "ask_cancelled" });
    proxy.restore();
    await until(async () => (await approver.list()).some(({ id }) => id === AGAIN.id), "its own is listed");
  });

  it("goes on with the ask, where the lease of a dead worker is only earlier than it was", async () => {
    const channel = channelOn(server, { leaseMs: 1_000 });
    const approver = await workerThatDies(server, channel, LEFT);
    const redis = client(server);
    const key = `${channel.base}ask:${LEFT.id}`;
    await redis.hset(key, "lease", Date.now() + 120_000);
    const answer = outcomeOf(channel.resolver().resolve(AGAIN, wait().context));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await redis.hset(key, "lease", Date.now() + 60_000);
    const before = await redis.hget(key, "wait");
    await until(async () => (await redis.hget(key, "wait")) !== before, "it has taken it over");
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    expect(await answer).toEqual({ value: { ...YES, ask_id: LEFT.id } });
  });

  it("keeps its own, where it called off the same call in the same turn, and Redis hears of that end late", async () => {
    const own = await ownServer();
    const channel = channelOn(own);
    const resolver = channel.resolver();
    const approver = channel.approver();
    const ending = wait();
    void outcomeOf(resolver.resolve(LEFT, ending.context));
    await until(async () => (await approver.list()).length === 1, "it is listed");
    ending.cancel();
    const settled = resolver.settled(LEFT, "cancelled");
    const again = outcomeOf(resolver.resolve(AGAIN, wait().context));
    await settled;
    await until(async () => (await approver.list()).some(({ id }) => id === AGAIN.id), "its own is listed");
    expect(await approver.answer(AGAIN, YES)).toBe("delivered");
    expect(await again).toEqual({ value: YES });
  });
});
