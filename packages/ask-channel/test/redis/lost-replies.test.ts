import { TcpProxy } from "@x/redis-server";
import { Redis } from "ioredis";
import { beforeAll, describe, expect, it } from "vitest";
import { RedisApprover, RedisAskResolver } from "../../src/redis/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;

const server = await serverOfFile();
beforeAll(tellScripts);

/** The server knows the scripts from then on, so that a reply which is lost is that of a script which ran. */
async function tellScripts(): Promise<void> {
  const redis = new Redis(server.port);
  const resolver = new RedisAskResolver({ redis });
  const approver = new RedisApprover({ redis });
  const answer = resolver.resolve(A, wait().context);
  await approver.answer((await approver.nextPending()) ?? A, YES);
  await answer;
  await resolver.settled(A, "completed");
  await Promise.all([approver.close(), resolver.close()]);
  redis.disconnect();
}

describe("an answer whose reply was lost", () => {
  it("reads delivered when it is given again under its answerId, and already_answered without one", async () => {
    const channel = channelOn(server);
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver();
    const redis = client(proxy);
    const approver = channel.approver({ redis, timeoutMs: 1_500 });
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
    const resolver = channel.resolver({ redis, timeoutMs: 1_500 });
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
    const redis = client(proxy);
    const resolver = channel.resolver({ redis, timeoutMs: 1_500, leaseMs: 3_000 });
    const approver = channel.approver();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "the ask is listed");
    // Replies come in order, so it has heard by now that its ask is stored.
    await redis.ping();
    proxy.dropReplies();
    expect(await approver.answer(A, YES)).toBe("delivered");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    proxy.restore();
    proxy.cut();
    expect(await answer).toEqual(YES);
    expect(await approver.openClaims()).toMatchObject([{ ask: A, answer: YES }]);
    await proxy.close();
  });
});
