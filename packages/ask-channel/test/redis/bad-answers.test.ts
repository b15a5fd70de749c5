import { RedisProcess } from "@x/redis-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const [A, B] = [pendingAsk("A"), pendingAsk("B")];
const SECRET = "one secret of sixteen bytes";

const server = await serverOfFile();

const settle = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("an approver that answers at once, each time, and never with the channel's secret", () => {
  it("is reported once for each ask, and shown it again ever more slowly", async () => {
    const channel = channelOn(server, { leaseMs: 3_000 });
    const resolver = channel.resolver({ secret: SECRET });
    const stranger = channel.approver();
    const answeredAt: number[] = [];
    const answering = (async () => {
      for await (const ask of stranger)
        if ((await stranger.answer(ask, "Approve")) === "delivered") answeredAt.push(performance.now());
    })();
    const ask = { ...A, expires_at_ms: Date.now() + 2_500 };
    const outcome = await outcomeOf(resolver.resolve(ask, wait().context));
    expect(outcome).toEqual({ code: "ask_expired" });
    await stranger.close();
    await answering;
    // At once the second time, then after 100, 200, 400 and 800 ms.
    expect(answeredAt.length).toBeGreaterThan(3);
    expect(answeredAt.length).toBeLessThan(8);
    const pauses = answeredAt.slice(1).map((at, index) => at - (answeredAt[index] as number));
    expect(pauses[1]).toBeGreaterThan(90);
    expect(pauses[2]).toBeGreaterThan(190);
    const told = channel.reports.filter(({ message }) => message.includes("no answer"));
    expect(told).toMatchObject([{ message: expect.stringMatching(/^ask A: /) }]);
  });

  it("keeps nobody else from answering, nor any other ask from its sign of life", async () => {
    const channel = channelOn(server, { leaseMs: 1_500 });
    const resolver = channel.resolver({ secret: SECRET });
    const [stranger, approver] = [channel.approver(), channel.approver({ secret: SECRET })];
    void outcomeOf(resolver.resolve(B, wait().context));
    const outcome = outcomeOf(resolver.resolve(A, wait().context));
    await until(async () => (await approver.list()).length === 2, "they wait");
    const redis = client(server);
    const worst = { ms: Number.POSITIVE_INFINITY };
    for (let count = 0; count < 6; count += 1) {
      await until(async () => (await stranger.answer(A, "Approve")) === "delivered", "it is answered badly");
      const lease = Number(await redis.hget(`${channel.base}ask:B`, "lease"));
      worst.ms = Math.min(worst.ms, lease - Date.now());
    }
    expect(worst.ms).toBeGreaterThan(0);
    await until(async () => (await approver.list()).length === 2, "it waits again");
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });

  it("is not answered again once the wait is over", async () => {
    const channel = channelOn(server, { leaseMs: 30_000 });
    const resolver = channel.resolver({ secret: SECRET });
    const stranger = channel.approver();
    const waiting = wait();
    const outcome = outcomeOf(resolver.resolve(A, waiting.context));
    for (let count = 0; count < 4; count += 1)
      await until(async () => (await stranger.answer(A, "Approve")) === "delivered", "it is answered badly");
    await settle(100);
    waiting.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    await settle(1_000);
    expect(await client(server).hget(`${channel.base}ask:A`, "state")).toBe("ended");
    expect(await channel.approver().list()).toEqual([]);
  });
});

describe("another type of value in the place of an answer", () => {
  it("is reported once, as damage of its ask and not as an outage, and the ask goes on", async () => {
    const channel = channelOn(server, { leaseMs: 1_000 });
    const resolver = channel.resolver();
    const approver = channel.approver();
    const [damaged, other] = [A, B].map((ask) => outcomeOf(resolver.resolve(ask, wait().context)));
    await until(async () => (await approver.list()).length === 2, "they wait");
    const redis = client(server);
    await redis.lpush(`${channel.base}answer:A`, "x");
    await settle(1_500);
    expect(channel.reports).toMatchObject([
      {
        message: expect.stringMatching(/^ask A: /),
        cause: { message: expect.stringContaining("WRONGTYPE") },
      },
    ]);
    expect(await approver.answer(B, "Deny")).toBe("delivered");
    expect(await other).toEqual({ value: { resolution: "Deny" } });
    await redis.del(`${channel.base}answer:A`);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await damaged).toEqual({ value: { resolution: "Deny" } });
    expect(channel.reports).toHaveLength(1);
  });

  it.each([
    ["is a replica", ["replicaof", "127.0.0.1", "1"], ["replicaof", "no", "one"]],
    [
      "lacks replicas",
      ["config", "set", "min-replicas-to-write", "1"],
      ["config", "set", "min-replicas-to-write", "0"],
    ],
  ] as const)(
    "is not what a server that %s for a while is taken for: that is an outage",
    async (_how, begin, end) => {
      const own = await RedisProcess.start();
      onTestFinished(() => own.close());
      // Longer than the outage: a server that was a replica has another name.
      const channel = channelOn(own, { leaseMs: 60_000 });
      const resolver = channel.resolver();
      const approver = channel.approver();
      const outcome = outcomeOf(resolver.resolve(A, wait().context));
      await until(async () => (await approver.list()).length === 1, "it waits");
      const redis = client(own);
      const worker = String(await redis.hget(`${channel.base}ask:A`, "wait"));
      await redis.set(`${channel.base}answer:A`, `t - -\n{"resolution":"Deny"}`);
      await redis.call(begin[0], ...begin.slice(1));
      await redis.publish(`${channel.base}worker:${worker.split("/")[0]}`, `!${worker}`);
      await until(() => channel.reports.length > 0, "it is reported");
      await settle(500);
      await redis.call(end[0], ...end.slice(1));
      expect(await outcome).toEqual({ value: { resolution: "Deny" } });
      expect(channel.reports.map(({ message }) => message)).toEqual([
        expect.stringContaining("ask channel: Redis is out of reach"),
      ]);
    },
  );
});
