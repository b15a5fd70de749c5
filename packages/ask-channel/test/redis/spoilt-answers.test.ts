import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk } from "../support/asks.js";
import { type ChannelOptions, clientOfFile, serverOfFile, until } from "./support/channels.js";
import { waitingCall } from "./support/waiting-call.js";

const A = pendingAsk("A");
const YES = `{"resolution":"Approve"}`;

const server = await serverOfFile();
/** Somebody who can write to Redis. */
const hostile = clientOfFile(server);

function waiting(options: ChannelOptions = {}) {
  return waitingCall(server, hostile, options);
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 150));

describe("what is written in the place of an answer", () => {
  it.each([
    "",
    "Approve",
    YES,
    `t - -\n`,
    `t - -\n{"resolution":"approve"}`,
    `t - -\n{"resolution":"Approve","remember":"always"}`,
    `t - -\n{"resolution":"Deny","modified_input":1}`,
    `t - -\n["Approve"]`,
    `t - -\ntrue`,
    `t - -\n{"resolution":"Approve"`,
    `t -\n${YES}`,
    `t - - ${YES}`,
    "\n\n\n",
    "\u0000",
    "x".repeat(100_000),
  ])("never approves: it is reported, the ask goes on and takes a real answer: %j", async (line) => {
    const { channel, approver, outcome, plant, isOver } = await waiting();
    await plant(line);
    await until(() => channel.reports.length > 0, "it is reported");
    expect(channel.reports[0]?.message).toMatch(/^ask A: passed over what is no answer/);
    await until(async () => (await approver.list()).length === 1, "it waits again");
    expect(isOver()).toBe(false);
    expect(await approver.answer(A, { resolution: "Approve", reason: "real" })).toBe("delivered");
    expect(await outcome).toEqual({ value: { resolution: "Approve", reason: "real" } });
    expect(await approver.openClaims()).toHaveLength(1);
  });

  it.each([
    ["a list", (key: string) => hostile.lpush(key, "x")],
    ["a hash", (key: string) => hostile.hset(key, "x", "y")],
  ])("never approves where it is %s", async (_what, write) => {
    const { channel, approver, outcome, wake, isOver } = await waiting();
    await write(`${channel.base}answer:A`);
    await wake();
    await settle();
    expect(isOver()).toBe(false);
    expect(await outcomeOf(approver.answer(A, "Approve"))).toEqual({ code: "storage" });
    await hostile.del(`${channel.base}answer:A`);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });
});

describe("claims that cannot be recorded", () => {
  it("let no answer be taken until they can", async () => {
    const { channel, approver, outcome, isOver } = await waiting();
    await hostile.set(`${channel.base}claims`, "x");
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    await settle();
    expect(isOver()).toBe(false);
    await hostile.del(`${channel.base}claims`);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
    expect(await approver.openClaims()).toHaveLength(1);
  });
});
