import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { type ChannelOptions, clientOfFile, serverOfFile, until } from "./support/channels.js";
import { waitingCall } from "./support/waiting-call.js";

const A = pendingAsk("A");
const B = pendingAsk("B");

const server = await serverOfFile();
/** Somebody who can write to Redis. */
const hostile = clientOfFile(server);

function waiting(options: ChannelOptions = {}) {
  return waitingCall(server, hostile, options);
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 150));

describe("what is written in the place of an ask", () => {
  it.each<[string, (base: string) => Promise<unknown>]>([
    ["another type", (base) => hostile.set(`${base}ask:A`, "x")],
    ["an end", (base) => hostile.hset(`${base}ask:A`, "state", "ended", "status", "approved")],
  ])("ends the wait without an approval: %s", async (_what, write) => {
    const { channel, outcome } = await waiting();
    await write(channel.base);
    const ended = await outcome;
    expect(ended).toHaveProperty("code");
  });

  it("is taken back by its waiter, where that is another one who shows no sign of life", async () => {
    const { channel, approver, outcome, token } = await waiting();
    const key = `${channel.base}ask:A`;
    await hostile.hset(key, "wait", "hostile/1");
    await until(async () => (await hostile.hget(key, "wait")) === token, "it is its own again");
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });

  it("ends the wait without an approval, where another waiter shows signs of life", async () => {
    const { channel, outcome, isOver } = await waiting();
    const key = `${channel.base}ask:A`;
    await hostile.hset(key, "wait", "hostile/1");
    for (let beat = 0; !isOver(); beat += 1) {
      await hostile.hset(key, "lease", `${Date.now() + 60_000 + beat}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await outcome).toEqual({ code: "already_waiting" });
  });

  it.each<[string, (base: string) => Promise<unknown>]>([
    ["it was deleted", (base) => hostile.del(`${base}ask:A`)],
    ["its state is unknown", (base) => hostile.hset(`${base}ask:A`, "state", "approved")],
    ["it was claimed without an answer", (base) => hostile.hset(`${base}ask:A`, "state", "claimed")],
  ])("is put again where %s", async (_what, write) => {
    const { channel, approver, outcome } = await waiting();
    await write(channel.base);
    await until(async () => (await approver.list()).length === 0, "it is gone from the list");
    await until(async () => (await approver.list()).length === 1, "it is listed again");
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });

  it("is passed over by approvers where it is none, and reported once, and others are listed", async () => {
    const { channel, approver } = await waiting();
    const { base } = channel;
    await hostile.zadd(`${base}index`, 1, "gone", 2, "string", 3, "empty", 4, "json", 5, "other", 6, "type");
    await hostile.set(`${base}ask:string`, "x");
    await hostile.hset(`${base}ask:empty`, "wait", "w/1");
    const ask = { wait: "w/1", lease: "1", expires: "", digest: "d" };
    await hostile.hset(`${base}ask:json`, { ...ask, ask: "- {" });
    await hostile.hset(`${base}ask:other`, { ...ask, ask: `- ${JSON.stringify(B)}` });
    await hostile.hset(`${base}ask:type`, {
      ...ask,
      ask: `- ${JSON.stringify({ ...B, id: "type", turn: "1" })}`,
    });
    expect(await approver.list()).toEqual([A]);
    expect(await approver.list()).toEqual([A]);
    expect(channel.reports.map(({ message }) => message.split(":")[0])).toEqual([
      "ask string",
      "ask empty",
      "ask json",
      "ask other",
      "ask type",
    ]);
    expect(await outcomeOf(approver.resolve("json", "Approve"))).toEqual({ value: false });
  });

  it("is not answered where it is not what was shown", async () => {
    const { channel, approver } = await waiting();
    const changed = { ...A, prompt: "rm -rf /" };
    await hostile.hset(`${channel.base}ask:A`, "ask", `- ${JSON.stringify(changed)}`);
    expect(await approver.answer(A, "Approve")).toBe("mismatch");
    expect(await approver.list()).toEqual([changed]);
  });
});

describe("a forged message", () => {
  it("wakes, and does no more", async () => {
    const { approver, outcome, wake, token, isOver } = await waiting();
    const messages = [
      `!${token}\n?${token}\n!${token}`,
      "!A",
      "!",
      "",
      "?nobody",
      "\n\n",
      "x".repeat(10_000),
    ];
    for (const message of messages) await wake(message);
    await settle();
    expect(isOver()).toBe(false);
    await approver.answer(A, "Deny");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });

  it("that shows an ask which is not stored like that gets it no answer", async () => {
    const { channel, outcome } = await waiting();
    const approver = channel.approver();
    expect(await approver.nextPending()).toEqual(A);
    const harmless = { ...B, prompt: "harmless" };
    await hostile.publish(`${channel.base}asks`, `+1 - ${JSON.stringify(harmless)}`);
    expect(await approver.nextPending()).toEqual(harmless);
    void outcomeOf(channel.resolver().resolve(B, wait().context));
    await until(async () => (await channel.approver().list()).length === 2, "the real one is parked");
    expect(await approver.answer(harmless, "Approve")).toBe("mismatch");
    expect(await approver.nextPending()).toEqual(B);
    expect(await approver.answer(B, "Deny")).toBe("delivered");
    await approver.answer(A, "Deny");
    await outcome;
  });

  it("of another form is passed over", async () => {
    const { channel } = await waiting();
    const approver = channel.approver();
    expect(await approver.nextPending()).toEqual(A);
    for (const message of [
      "",
      "+",
      "+1",
      "+x - {}",
      "+1 {}",
      `+1 - ${JSON.stringify({ id: "x" })}`,
      "-",
      "-A",
      "-1",
      "-{}",
      "*",
    ])
      await hostile.publish(`${channel.base}asks`, message);
    void outcomeOf(channel.resolver().resolve(B, wait().context));
    expect(await approver.nextPending()).toEqual(B);
  });
});
