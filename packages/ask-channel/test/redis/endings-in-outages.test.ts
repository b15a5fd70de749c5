import { RedisProcess, TcpProxy } from "@x/redis-server";
import type { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { END, REFRESH } from "../../src/redis/asking-scripts.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, until } from "./support/channels.js";

const [A, B, C] = [pendingAsk("A"), pendingAsk("B"), pendingAsk("C")];
const SCRIPTS = new Map([END, REFRESH].map(({ sha, name }) => [sha, name]));

/** A channel whose resolver can be cut off; then its commands fail at once. */
async function setUp(timeoutMs = 500) {
  const server = await RedisProcess.start();
  onTestFinished(() => server.close());
  const proxy = await TcpProxy.start(server);
  onTestFinished(() => proxy.close());
  const redis = client(proxy, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => 50,
  });
  await until(() => redis.status === "ready", "it is connected");
  const channel = channelOn(server, { timeoutMs, leaseMs: 1_500 });
  const resolver = channel.resolver({ redis });
  const approver = channel.approver({ timeoutMs: 10_000 });
  const admin = client(server);
  const isWaiting = (count = 1) =>
    until(async () => (await approver.list()).length === count, `${count} wait`);
  return { server, proxy, redis, channel, resolver, approver, admin, isWaiting };
}

describe("the ends of asks and claims", () => {
  it("are told, all but one that Redis refuses: that one is reported once", async () => {
    const { proxy, channel, resolver, approver, admin, isWaiting } = await setUp();
    const [bad, called] = [wait(), wait()];
    void outcomeOf(resolver.resolve(A, bad.context));
    await isWaiting();
    await admin.lpush(`${channel.base}answer:A`, "x");
    bad.cancel();
    await until(() => channel.reports.length > 0, "it is reported");

    const answered = resolver.resolve(B, wait().context);
    await isWaiting();
    await approver.answer(B, "Approve");
    await answered;
    void outcomeOf(resolver.resolve(C, called.context));
    await isWaiting();
    proxy.partition();
    await resolver.settled(B, "completed");
    called.cancel();
    proxy.restore();
    await until(async () => (await approver.openClaims()).length === 0, "the claim is closed");
    await until(async () => (await approver.list()).length === 0, "what was called off is taken down");
    expect(await approver.answer(C, "Approve")).toBe("cancelled");
    const told = channel.reports.filter(({ message }) => message.startsWith("ask "));
    expect(told).toMatchObject([
      {
        message: expect.stringMatching(/^ask A: .*end/),
        cause: { message: expect.stringContaining("WRONGTYPE") },
      },
    ]);
  });

  it("are told once Redis is back, of an ask of a worker that died, by the id that the answer gave", async () => {
    const { server, proxy, channel, resolver, approver, isWaiting } = await setUp();
    const mortal = client(server);
    const call = { call_id: "one call", args_digest: A.args_digest };
    void outcomeOf(channel.resolver({ redis: mortal }).resolve({ ...A, ...call }, wait().context));
    await isWaiting();
    mortal.disconnect();
    const answer = resolver.resolve({ ...B, ...call }, wait().context);
    await approver.answer(A, "Approve");
    expect(await answer).toEqual({ resolution: "Approve", ask_id: "A" });
    expect(await approver.openClaims()).toHaveLength(1);
    proxy.partition();
    await resolver.settled(A, "completed");
    proxy.restore();
    await until(async () => (await approver.openClaims()).length === 0, "the claim is closed");
  });

  it.each<[string, (admin: Redis) => Promise<unknown>, (admin: Redis) => Promise<unknown>]>([
    ["is full", (it) => it.config("SET", "maxmemory", "1"), (it) => it.config("SET", "maxmemory", "0")],
    ["is a replica", (it) => it.replicaof("127.0.0.1", "1"), (it) => it.replicaof("NO", "ONE")],
    [
      "lacks replicas",
      (it) => it.config("SET", "min-replicas-to-write", "1"),
      (it) => it.config("SET", "min-replicas-to-write", "0"),
    ],
  ])(
    "are told later where Redis %s for a while, which is no fault of what it keeps",
    async (_how, begin, end) => {
      const { channel, resolver, approver, admin, isWaiting } = await setUp();
      const answered = resolver.resolve(A, wait().context);
      await isWaiting();
      await approver.answer(A, "Approve");
      await answered;
      await begin(admin);
      await resolver.settled(A, "completed");
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await admin.hget(`${channel.base}ask:A`, "state")).toBe("claimed");
      await end(admin);
      await until(async () => (await approver.openClaims()).length === 0, "the claim is closed");
      expect(channel.reports.filter(({ message }) => message.startsWith("ask "))).toEqual([]);
    },
  );

  it("end no ask that is put again under its id, after it was refused and its call had ended", async () => {
    const { proxy, redis, resolver, approver, isWaiting } = await setUp();
    for (let round = 0; round < 3; round += 1) {
      proxy.partition();
      expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual({ code: "ask_unavailable" });
      await resolver.settled(A, "denied");
      proxy.restore();
      await until(() => redis.status === "ready", "it is connected again");
      const again = outcomeOf(resolver.resolve(A, wait().context));
      await isWaiting();
      // Longer than it takes to tell what Redis could not be told.
      await new Promise((resolve) => setTimeout(resolve, 900));
      expect(await approver.answer(A, { resolution: "Deny", reason: `${round}` })).toBe("delivered");
      expect(await again).toEqual({ value: { resolution: "Deny", reason: `${round}` } });
      await resolver.settled(A, "denied");
    }
  });

  it("are told many at once, after all that waits was given its sign of life", async () => {
    const { server, proxy, resolver, approver, isWaiting } = await setUp(5_000);
    const count = 2_000;
    const called = wait();
    for (let at = 0; at < count; at += 1)
      void outcomeOf(resolver.resolve(pendingAsk(`${at}`), called.context));
    void outcomeOf(resolver.resolve(A, wait().context));
    await isWaiting(count + 1);
    proxy.partition();
    called.cancel();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const monitor = await client(server).monitor();
    onTestFinished(() => monitor.disconnect());
    const ran: string[] = [];
    monitor.on("monitor", (_time: string, [name, sha = ""]: string[]) => {
      const script = name?.toLowerCase() === "evalsha" ? SCRIPTS.get(sha) : undefined;
      if (script !== undefined) ran.push(script);
    });
    proxy.restore();
    await isWaiting(1);
    expect(await approver.list()).toEqual([A]);
    // The first ends may go out in a sweep that the way back finds half done.
    expect(ran.slice(0, 2)).toContain("refresh");
    const ends = ran.filter((script) => script === "end").length;
    expect(ends).toBeGreaterThan(0);
    expect(ends).toBeLessThan(count / 10);
  });
});
