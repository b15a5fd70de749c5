import { RedisProcess } from "@x/redis-server";
import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const DEMANDED = { requireApprover: true, presenceMs: 1_500, leaseMs: 1_000 };

const server = await serverOfFile();

describe("where an approver is demanded", () => {
  it("an ask fails closed at once while none is there, and nothing is stored", async () => {
    const channel = channelOn(server, DEMANDED);
    const resolver = channel.resolver();
    expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual({ code: "ask_unavailable" });
    expect(await client(server).keys(`${channel.base}*`)).toEqual([]);
    expect(await channel.approver().list()).toEqual([]);
  });

  it("an ask is not gone on with either, unless it was answered while one was there", async () => {
    const channel = channelOn(server, DEMANDED);
    const approver = channel.approver();
    await approver.list();
    const dying = client(server);
    const asks = ["answered", "open"].map((id) => pendingAsk(id));
    for (const ask of asks) void outcomeOf(channel.resolver({ redis: dying }).resolve(ask, wait().context));
    await until(async () => (await approver.list()).length === 2, "they are put");
    dying.disconnect();
    await approver.answer(pendingAsk("answered"), "Approve");
    await approver.close();
    const again = asks.map((ask) =>
      outcomeOf(channel.resolver().resolve({ ...ask, id: `${ask.id} again` }, wait().context)),
    );
    expect(await Promise.all(again)).toEqual([
      { value: { resolution: "Approve", ask_id: "answered" } },
      { code: "ask_unavailable" },
    ]);
  });

  it("an ask is put while one is there: from its first call until it is closed", async () => {
    const channel = channelOn(server, DEMANDED);
    const resolver = channel.resolver();
    const [first, second] = [channel.approver(), channel.approver()];
    const put = () => outcomeOf(resolver.resolve(A, wait().context));
    await first.list();
    await second.list();
    await first.close();
    const answer = put();
    await until(async () => (await second.list()).length === 1, "it is put");
    await second.answer(A, "Deny");
    expect(await answer).toEqual({ value: { resolution: "Deny" } });
    await resolver.settled(A, "denied");
    await second.close();
    expect(await put()).toEqual({ code: "ask_unavailable" });
  });

  it("one that only reads is there for as long as it lives, and no longer than presenceMs beyond", async () => {
    const channel = channelOn(server, DEMANDED);
    const resolver = channel.resolver();
    const redis = client(server);
    const approver = channel.approver({ redis });
    void approver.nextPending();
    const put = () => outcomeOf(resolver.resolve(A, wait().context));
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    const answer = put();
    await until(() => approver.load().known === 1, "it is put");
    await approver.answer(A, "Deny");
    expect(await answer).toEqual({ value: { resolution: "Deny" } });
    await resolver.settled(A, "denied");
    redis.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 1_700));
    expect(await put()).toEqual({ code: "ask_unavailable" });
  });

  it("what waits fails closed once all have been away for presenceMs, and goes on where one comes back", async () => {
    const channel = channelOn(server, DEMANDED);
    const resolver = channel.resolver();
    const approver = channel.approver();
    await approver.list();
    const start = performance.now();
    const outcome = outcomeOf(resolver.resolve(A, wait().context));
    await until(async () => (await approver.list()).length === 1, "it is put");
    await approver.close();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const back = channel.approver();
    expect(await back.list()).toEqual([A]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await back.list()).toEqual([A]);
    await back.close();
    expect(await outcome).toEqual({ code: "ask_unavailable" });
    expect(performance.now() - start).toBeGreaterThan(3_200);
    expect(await channel.approver().answer(A, "Approve")).toBe("cancelled");
  });

  it("Redis that comes back empty ends no wait, since approvers say anew that they are there", async () => {
    const own = await RedisProcess.start();
    const channel = channelOn(own, { ...DEMANDED, timeoutMs: 2_000, leaseMs: 60_000 });
    const resolver = channel.resolver();
    const approver = channel.approver();
    const reading = approver.nextPending();
    await approver.list();
    const answer = resolver.resolve(A, wait().context);
    await reading;
    await own.kill();
    await own.start();
    await until(async () => (await approver.list().catch(() => [])).length === 1, "it is put again");
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Deny" });
    await own.close();
  });
});

describe("where no approver is demanded", () => {
  it("an ask waits for the first one to come", async () => {
    const channel = channelOn(server);
    const answer = channel.resolver().resolve(A, wait().context);
    await until(async () => (await channel.approver().answer(A, "Deny")) === "delivered", "one comes");
    expect(await answer).toEqual({ resolution: "Deny" });
  });

  it("closing an approver denies nobody, since others may answer", async () => {
    const channel = channelOn(server);
    const answer = channel.resolver().resolve(A, wait().context);
    const [first, second] = [channel.approver(), channel.approver()];
    await until(async () => (await first.list()).length === 1, "it waits");
    await first.close();
    expect(await outcomeOf(first.answer(A, "Approve"))).toEqual({ code: "closed" });
    expect(await outcomeOf(first.list())).toEqual({ code: "closed" });
    expect(await second.answer(A, "Approve")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Approve" });
  });

  it("what is written in the place of the list of approvers names none, and keeps no wait from being refreshed", async () => {
    const channel = channelOn(server, { leaseMs: 1_000 });
    const admin = client(server);
    await admin.set(`${channel.base}approvers`, "no list");
    const demanding = channel.resolver({ requireApprover: true });
    expect(await outcomeOf(demanding.resolve(pendingAsk("B"), wait().context))).toEqual({
      code: "ask_unavailable",
    });
    void outcomeOf(channel.resolver().resolve(A, wait().context));
    const lease = () => admin.hget(`${channel.base}ask:A`, "lease");
    await until(async () => (await lease()) !== null, "it is put");
    const first = await lease();
    await until(async () => (await lease()) !== first, "it is refreshed");
    expect(channel.reports).toEqual([]);
  });
});
