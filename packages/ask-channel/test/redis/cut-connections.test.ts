import { TcpProxy } from "@x/redis-server";
import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, ownServer, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;

describe("a subscription that is lost", () => {
  it("[CASE-169] comes back after any number of failed attempts, and the answer given before is read then", async () => {
    const server = await ownServer();
    // Its first sweep is far off: nothing but the subscription can bring the answer.
    const channel = channelOn(server, { leaseMs: 600_000, timeoutMs: 1_000 });
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver({ redis: client(proxy, { retryStrategy: () => 30 }) });
    const approver = channel.approver();
    const first = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is parked");
    await until(() => proxy.connections === 2, "it listens");
    proxy.partition();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await approver.answer(A, YES)).toBe("delivered");
    proxy.restore();
    expect(await first).toEqual(YES);
    // And messages come through again.
    const B = pendingAsk("B");
    const second = resolver.resolve(B, wait().context);
    await until(async () => (await approver.list()).length === 1, "another is parked");
    expect(await approver.answer(B, "Deny")).toBe("delivered");
    expect(await second).toEqual({ resolution: "Deny" });
    expect(channel.reports.length).toBeGreaterThan(0);
    expect(channel.reports.length).toBeLessThan(4);
    await proxy.close();
  });
});

describe("an approver that was cut off", () => {
  it("learns the truth when it is back", async () => {
    const server = await ownServer();
    const channel = channelOn(server, { timeoutMs: 2_000 });
    const proxy = await TcpProxy.start(server);
    const resolver = channel.resolver();
    const away = channel.approver({ redis: client(proxy) });
    const here = channel.approver();
    const [B, C] = [pendingAsk("B"), pendingAsk("C")];
    const reading = away.nextPending();
    const answers = [A, B].map((ask) => resolver.resolve(ask, wait().context));
    expect(await reading).toEqual(A);
    proxy.partition();
    expect(await outcomeOf(away.answer(A, "Approve"))).toEqual({ code: "storage" });
    expect(await here.answer(A, "Deny")).toBe("delivered");
    expect(await here.answer(B, "Deny")).toBe("delivered");
    const third = resolver.resolve(C, wait().context);
    expect(await Promise.all(answers)).toEqual([{ resolution: "Deny" }, { resolution: "Deny" }]);
    proxy.restore();
    await until(() => away.load().known === 1, "it knows what waits now");
    expect(await away.nextPending()).toEqual(C);
    expect(await away.answer(A, "Approve")).toBe("already_answered");
    expect(await away.answer(C, "Approve")).toBe("delivered");
    expect(await third).toEqual({ resolution: "Approve" });
    await proxy.close();
  });
});
