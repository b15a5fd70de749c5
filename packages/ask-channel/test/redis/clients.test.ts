import { inspect } from "node:util";
import { TcpProxy } from "@x/redis-server";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { RedisApprover, RedisAskResolver } from "../../src/redis/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { type ClientOptions, channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");

const server = await serverOfFile();

describe("a client", () => {
  it.each([2, 3] as const)("that has subscribed is refused when a side is made: RESP%d", async (protocol) => {
    const redis = client(server, { protocol });
    await redis.subscribe("anything");
    const refused = expect.objectContaining({
      code: "invalid_option",
      message: expect.stringContaining("has subscribed"),
    });
    expect(() => new RedisAskResolver({ redis })).toThrow(refused);
    expect(() => new RedisApprover({ redis })).toThrow(refused);
  });

  it("that was closed is refused when a side is made", async () => {
    const redis = new Redis(server.port);
    await redis.quit();
    await until(() => redis.status === "end", "it is closed");
    expect(() => new RedisAskResolver({ redis })).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });

  it("that is closed too early makes asks unavailable and answers fail, and nothing hangs", async () => {
    const channel = channelOn(server, { timeoutMs: 1_500 });
    const [asking, answering] = [client(server), client(server)];
    const resolver = channel.resolver({ redis: asking });
    const approver = channel.approver({ redis: answering });
    const outcome = outcomeOf(resolver.resolve(A, wait().context));
    expect(await approver.nextPending()).toEqual(A);
    asking.disconnect();
    answering.disconnect();
    expect(await outcomeOf(resolver.resolve(pendingAsk("B"), wait().context))).toEqual({
      code: "ask_unavailable",
    });
    expect(await outcomeOf(approver.answer(A, "Approve"))).toEqual({ code: "storage" });
    expect(await outcomeOf(approver.list())).toEqual({ code: "storage" });
    await resolver.settled(pendingAsk("other"), "completed");
    expect(await outcome).toEqual({ code: "ask_unavailable" });
  });

  it("whose password is wrong is told as that by each side, and its password by nothing that is printed", async () => {
    const options = { username: "ana", password: "hidden" };
    const channel = channelOn(server, { timeoutMs: 2_000 });
    const resolver = channel.resolver({ redis: client(server, options) });
    const approver = channel.approver({ redis: client(server, options) });
    const failures = await Promise.allSettled([
      resolver.resolve(A, wait().context),
      approver.list(),
      approver.nextPending({ signal: AbortSignal.timeout(500) }),
    ]);
    const told = inspect([failures, channel.reports], { depth: null });
    expect(told).toContain("WRONGPASS");
    expect(channel.reports.length).toBeGreaterThan(0);
    expect(told).not.toContain("hidden");
  });

  it("that is closed before it was used lets no reader wait for ever", async () => {
    const redis = client(server);
    const approver = channelOn(server, { timeoutMs: 1_500 }).approver({ redis });
    redis.disconnect();
    await until(() => redis.status === "end", "it is closed");
    expect(await outcomeOf(approver.nextPending())).toEqual({ code: "storage" });
  });

  it.each([2, 3] as const)(
    "[CASE-171] may be given to both sides: each listens on a connection of its own, also after they were cut: RESP%d",
    async (protocol) => {
      const proxy = await TcpProxy.start(server);
      const redis = client(proxy, { protocol });
      const channel = channelOn(server, { redis });
      const [resolver, approver] = [channel.resolver(), channel.approver()];
      const through = async (id: string) => {
        const answer = resolver.resolve(pendingAsk(id), wait().context);
        const shown = await approver.nextPending();
        expect(await approver.answer(shown ?? A, "Deny")).toBe("delivered");
        expect(await answer).toEqual({ resolution: "Deny" });
      };
      await through("before");
      proxy.cut();
      await through("after");
      expect(await redis.ping()).toBe("PONG");
      await proxy.close();
    },
  );

  it.each<[string, ClientOptions]>([
    ["lazyConnect", { lazyConnect: true }],
    ["maxRetriesPerRequest: null", { maxRetriesPerRequest: null }],
    ["enableAutoPipelining", { enableAutoPipelining: true }],
    ["commandTimeout", { commandTimeout: 5_000 }],
    ["autoResubscribe: false", { autoResubscribe: false }],
    ["another database", { db: 3 }],
  ])("with %s works", async (_name, options) => {
    const channel = channelOn(server);
    const resolver = channel.resolver({ redis: client(server, options) });
    const approver = channel.approver({ redis: client(server, options) });
    const answer = resolver.resolve(A, wait().context);
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Deny" });
  });
});

describe("options", () => {
  it.each([
    { prefix: "" },
    { prefix: "a{b" },
    { prefix: "a}b" },
    { prefix: "x".repeat(201) },
    { timeoutMs: 0 },
    { timeoutMs: 1.5 },
    { leaseMs: -1 },
    { presenceMs: Number.NaN },
    { keepMs: Number.POSITIVE_INFINITY },
    { endingsMs: 2 ** 31 },
    { claimMs: "1" as unknown as number },
  ])("out of range are refused: %j", (options) => {
    const redis = client(server);
    const refused = expect.objectContaining({ code: "invalid_option" });
    expect(() => new RedisAskResolver({ redis, ...options })).toThrow(refused);
    expect(() => new RedisApprover({ redis, ...options })).toThrow(refused);
  });

  it("of different prefixes or databases never meet, whichever way they are split with the client's keyPrefix", async () => {
    const prefixes: [ClientOptions, string][] = [
      [{}, "a"],
      [{}, "a:ask"],
      [{}, "ab"],
      [{ keyPrefix: "a" }, "b"],
      [{ keyPrefix: "a:" }, "a"],
      [{ db: 1 }, "a"],
      [{ db: 2, keyPrefix: "a" }, "b"],
    ];
    const sides = prefixes.map(([options, prefix]) => {
      const channel = channelOn(server, { prefix, redis: client(server, options) });
      return { resolver: channel.resolver(), approver: channel.approver() };
    });
    const asks = sides.map((_, at) => pendingAsk(`A`, { call_id: `${at}` }));
    sides.forEach(({ resolver }, at) => {
      void outcomeOf(resolver.resolve(asks[at] ?? A, wait().context));
    });
    for (const [at, { approver }] of sides.entries()) {
      await until(async () => (await approver.list()).length > 0, "its ask waits");
      expect(await approver.list()).toEqual([asks[at]]);
      expect(await approver.nextPending()).toEqual(asks[at]);
    }
  });
});

describe("what is no ask", () => {
  it("is refused with bad_record, and does not stay with approvers", async () => {
    const channel = channelOn(server, { leaseMs: 1_000 });
    const resolver = channel.resolver();
    const approver = channel.approver();
    for (const fields of [
      { id: "x".repeat(129) },
      { id: "a\ud800" },
      { turn: -1 },
      { prompt: 7 as unknown as string },
    ])
      expect(await outcomeOf(resolver.resolve({ ...A, ...fields }, wait().context))).toEqual({
        code: "bad_record",
      });
    await until(async () => (await approver.list()).length === 0, "none is listed");
  });

  it("that has expired already is not put", async () => {
    const channel = channelOn(server);
    const ask = pendingAsk("A", { expires_at_ms: Date.now() - 1 });
    expect(await outcomeOf(channel.resolver().resolve(ask, wait().context))).toEqual({ code: "ask_expired" });
    expect(await channel.approver().answer(ask, "Approve")).toBe("unknown");
  });
});

describe("closing the asking side", () => {
  it("parks nothing more, and denies nothing: what waits can be answered", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it waits");
    await resolver.close();
    await resolver[Symbol.asyncDispose]();
    expect(await outcomeOf(resolver.resolve(pendingAsk("B"), wait().context))).toEqual({
      code: "ask_unavailable",
    });
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Approve" });
    await resolver.settled(A, "completed");
    expect(await approver.openClaims()).toEqual([]);
  });
});
