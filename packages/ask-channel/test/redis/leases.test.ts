import type { PendingAsk } from "@x/permission-core";
import { TcpProxy } from "@x/redis-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const HOUR = 3_600_000;
const YES = { resolution: "Approve", decided_by: "ana" } as const;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const about = (id: string, call_id: string, fields: Partial<PendingAsk> = {}) =>
  pendingAsk(id, { call_id, args_digest: "87005d148c61a85e", ...fields });

const server = await serverOfFile();

/** A worker whose ask `x` about the call `C` waits when it dies. */
async function leftBehind(fields: Partial<PendingAsk> = {}) {
  const channel = channelOn(server, { leaseMs: 1_500 });
  const redis = client(server);
  const desk = channel.approver();
  void outcomeOf(channel.resolver({ redis }).resolve(about("x", "C", fields), wait().context));
  await until(async () => (await desk.list()).length === 1, "it is parked");
  redis.disconnect();
  return { ...channel, desk, key: `${channel.base}ask:x` };
}

async function shown(desk: Awaited<ReturnType<typeof leftBehind>>["desk"]) {
  return (await desk.list()).map(({ id, call_id }) => `${id} about ${call_id}`);
}

describe("an id that is used again for another call", () => {
  it("leaves the earlier call to be asked about", async () => {
    const { desk, resolver } = await leftBehind();
    await pause(1_700);
    const other = outcomeOf(resolver().resolve(about("x", "D"), wait().context));
    await until(async () => (await shown(desk)).includes("x about D"), "it is about the other call");
    const again = outcomeOf(resolver().resolve(about("y", "C"), wait().context));
    await until(async () => (await desk.list()).length === 2, "both are asked about");
    expect(await shown(desk)).toEqual(["x about D", "y about C"]);
    expect(await desk.answer(about("y", "C"), YES)).toBe("delivered");
    expect(await again).toEqual({ value: YES });
    expect(await desk.answer(about("x", "D"), "Deny")).toBe("delivered");
    expect(await other).toEqual({ value: { resolution: "Deny" } });
  });

  it("is not taken from its worker by one that asks about the earlier call, and the answer is not lost", async () => {
    const { desk, resolver } = await leftBehind();
    const proxy = await TcpProxy.start({ host: "127.0.0.1", port: server.port });
    onTestFinished(() => proxy.close());
    await pause(1_700);
    const other = outcomeOf(resolver({ redis: client(proxy) }).resolve(about("x", "D"), wait().context));
    await until(async () => (await shown(desk)).includes("x about D"), "it is about the other call");
    proxy.partition();
    await pause(1_700);
    expect(await desk.answer(about("x", "D"), YES)).toBe("delivered");
    void outcomeOf(resolver().resolve(about("y", "C"), wait().context));
    await until(async () => (await shown(desk)).includes("y about C"), "the earlier call is asked about");
    proxy.restore();
    expect(await other).toEqual({ value: YES });
  });
});

describe("where Redis's clock was set back by an hour", () => {
  it("an ask that was left is gone on with once its lease has not changed for its length", async () => {
    const { desk, resolver, key } = await leftBehind();
    await client(server).hset(key, "lease", Date.now() + HOUR);
    expect(await desk.answer(about("x", "C"), YES)).toBe("delivered");
    const began = performance.now();
    const answer = await outcomeOf(resolver().resolve(about("y", "C"), wait().context));
    expect(answer).toEqual({ value: { ...YES, ask_id: "x" } });
    expect(performance.now() - began).toBeGreaterThan(1_490);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("so is one whose id is put again, where its call is not found by its name", async () => {
    const nil = { session_id: "00000000-0000-0000-0000-000000000000" };
    const { desk, resolver, key } = await leftBehind(nil);
    await client(server).hset(key, "lease", Date.now() + HOUR);
    const outcome = outcomeOf(resolver().resolve(about("x", "C", nil), wait().context));
    await pause(3_000);
    expect(await desk.answer(about("x", "C", nil), YES)).toBe("delivered");
    expect(await outcome).toEqual({ value: YES });
  });

  it("one that is still waited for is not: its lease changes", async () => {
    const channel = channelOn(server, { leaseMs: 1_500 });
    const desk = channel.approver();
    const first = outcomeOf(channel.resolver().resolve(about("x", "C"), wait().context));
    await until(async () => (await desk.list()).length === 1, "it is parked");
    await client(server).hset(`${channel.base}ask:x`, "lease", Date.now() + HOUR);
    expect(await outcomeOf(channel.resolver().resolve(about("y", "C"), wait().context))).toEqual({
      code: "already_waiting",
    });
    await desk.answer(about("x", "C"), YES);
    expect(await first).toEqual({ value: YES });
  });
});

describe("where a clock was set forward", () => {
  it("Redis's, an ask can soon be answered again, until what was left of its time has passed for its waiter", async () => {
    const channel = channelOn(server, { leaseMs: 1_500 });
    const desk = channel.approver();
    const ask = about("x", "C", { expires_at_ms: Date.now() + 60_000 });
    const outcome = outcomeOf(channel.resolver().resolve(ask, wait().context));
    await until(async () => (await desk.list()).length === 1, "it is parked");
    await client(server).hset(`${channel.base}ask:x`, "expires", Date.now() - 90_000);
    expect(await desk.answer(ask, YES)).toBe("expired");
    await until(async () => (await desk.list()).length === 1, "it is listed again");
    expect(await desk.answer(ask, YES)).toBe("delivered");
    expect(await outcome).toEqual({ value: YES });
  });

  it("the waiter's own, an ask that Redis has lost is stored for what is left of its time", async () => {
    let aheadMs = 0;
    const clock = {
      now: () => Date.now() + aheadMs,
      setTimer: (callback: () => void, ms: number) => {
        const timer = setTimeout(callback, ms);
        return { cancel: () => clearTimeout(timer) };
      },
    };
    const channel = channelOn(server, { leaseMs: 1_500 });
    const desk = channel.approver();
    const ask = about("x", "C", { expires_at_ms: Date.now() + 60_000 });
    const outcome = outcomeOf(channel.resolver({ clock }).resolve(ask, wait().context));
    await until(async () => (await desk.list()).length === 1, "it is parked");
    aheadMs = HOUR;
    await client(server).flushall();
    await until(async () => (await desk.list()).length === 1, "it is stored again");
    expect(await desk.answer(ask, YES)).toBe("delivered");
    expect(await outcome).toEqual({ value: YES });
  });
});

describe("the end of a call whose ask goes on under the id of an earlier one", () => {
  it.each(["y", "x"])("ends the wait: it is told of %s", async (id) => {
    const { desk, resolver } = await leftBehind();
    await pause(1_700);
    const asks = resolver();
    const parked: string[] = [];
    const context = { ...wait().context, onParked: (stored: { id: string }) => void parked.push(stored.id) };
    const outcome = outcomeOf(asks.resolve(about("y", "C"), context));
    await until(() => parked.includes("x"), "it goes on with the earlier one");
    await asks.settled(about(id, "C"), "cancelled");
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    expect(await desk.list()).toEqual([]);
    expect(await desk.answer(about("x", "C"), YES)).toBe("cancelled");
  });
});
