import type { AskAnswer } from "@x/permission-core";
import { RedisProcess } from "@x/redis-server";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Signer } from "../../src/redis/signer.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, until } from "./support/channels.js";

const A = pendingAsk("A");
const B = pendingAsk("B");
const SECRET = "one secret of sixteen bytes";
const OTHER = "another one of sixteen bytes";
const YES = `{"resolution":"Approve"}`;

let server: RedisProcess;
let hostile: Redis;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

/** A call that waits, and somebody who can write to Redis. */
async function waiting(options: Parameters<typeof channelOn>[1] = {}) {
  hostile = client(server);
  const channel = channelOn(server, { leaseMs: 600, ...options });
  const resolver = channel.resolver();
  const approver = channel.approver();
  let isOver = false;
  const outcome = outcomeOf(resolver.resolve(A, wait().context)).finally(() => {
    isOver = true;
  });
  await until(async () => (await approver.list()).length === 1, "it waits");
  const token = String(await hostile.hget(`${channel.base}ask:A`, "wait"));
  const worker = token.split("/")[0];
  const wake = (message = `!${token}`) => hostile.publish(`${channel.base}worker:${worker}`, message);
  return {
    channel,
    resolver,
    approver,
    outcome,
    wake,
    token,
    isOver: () => isOver,
    plant: async (line: string) => {
      await hostile.set(`${channel.base}answer:A`, line);
      await wake();
    },
  };
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

describe("what is written in the place of an ask", () => {
  it.each<[string, (base: string) => Promise<unknown>]>([
    ["another type", (base) => hostile.set(`${base}ask:A`, "x")],
    ["another waiter", (base) => hostile.hset(`${base}ask:A`, "wait", "hostile/1")],
    ["an end", (base) => hostile.hset(`${base}ask:A`, "state", "ended", "status", "approved")],
  ])("ends the wait without an approval: %s", async (_what, write) => {
    const { channel, outcome } = await waiting();
    await write(channel.base);
    const ended = await outcome;
    expect(ended).toHaveProperty("code");
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

describe("with a secret", () => {
  const line = (answer: AskAnswer, signature: string) => `t - ${signature}\n${JSON.stringify(answer)}`;
  const approval = { resolution: "Approve" } as const;

  it("an answer that somebody without it wrote never approves; without a secret it would", async () => {
    const { channel, approver, outcome, plant, isOver } = await waiting({ secret: SECRET });
    const name = channel.base;
    const forged = [
      "-",
      "AAAA",
      new Signer(name, [OTHER]).signAnswer(A, YES),
      new Signer(`${name}x`, [SECRET]).signAnswer(A, YES),
      new Signer(name, [SECRET]).signAnswer(B, YES),
      new Signer(name, [SECRET]).signAnswer({ ...A, args_digest: "0000000000000000" }, YES),
      new Signer(name, [SECRET]).signAnswer(A, `{"resolution":"Deny"}`),
      new Signer(name, [SECRET]).signAsk(YES),
    ];
    for (const [at, signature] of forged.entries()) {
      await plant(line(approval, signature));
      await until(async () => (await approver.list()).length === 1, `it waits again after forgery ${at}`);
      expect(isOver()).toBe(false);
    }
    expect(channel.reports).toMatchObject([{ message: expect.stringContaining("no answer") }]);
    await plant(line(approval, new Signer(name, [SECRET]).signAnswer(A, YES)));
    expect(await outcome).toEqual({ value: approval });

    const open = await waiting();
    await open.plant(line(approval, "-"));
    expect(await open.outcome).toEqual({ value: approval });
  });

  it("an ask that somebody without it wrote or changed is shown to nobody; without a secret it would be", async () => {
    const { channel, approver } = await waiting({ secret: SECRET });
    const { base } = channel;
    const signed = String(await hostile.hget(`${base}ask:A`, "ask"));
    const plant = async (stored: string) => {
      await hostile.hset(`${base}ask:A`, "ask", stored);
      await hostile.publish(`${base}asks`, `+9999999999999999 ${stored}`);
    };
    for (const [field, value] of Object.entries({
      prompt: "x",
      tool: "x",
      turn: 9,
      agent: "x",
      details: "x",
    })) {
      const [signature, text = ""] = [
        signed.slice(0, signed.indexOf(" ")),
        signed.slice(signed.indexOf(" ") + 1),
      ];
      await plant(`${signature} ${JSON.stringify({ ...JSON.parse(text), [field]: value })}`);
      expect(await approver.list()).toEqual([]);
      expect(await approver.resolve("A", "Approve")).toBe(false);
    }
    await plant(signed);
    expect(await approver.list()).toEqual([A]);

    const open = await waiting();
    await hostile.hset(`${open.channel.base}ask:A`, "ask", `- ${JSON.stringify({ ...A, prompt: "x" })}`);
    expect(await open.approver.list()).toMatchObject([{ prompt: "x" }]);
  });

  it("sides that have different ones do not understand each other", async () => {
    const { channel, outcome, isOver } = await waiting({ secret: SECRET });
    const stranger = channel.approver({ secret: OTHER });
    expect(await stranger.list()).toEqual([]);
    expect(await stranger.answer(A, "Approve")).toBe("delivered");
    await until(() => channel.reports.some(({ message }) => message.includes("no answer")), "it is reported");
    expect(isOver()).toBe(false);
    const approver = channel.approver();
    await until(async () => (await approver.list()).length === 1, "it waits again");
    await approver.answer(A, "Deny");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });

  it("it can be changed while asks wait: each side accepts both before either signs with the new one", async () => {
    const both = await waiting({ secret: [SECRET, OTHER] });
    const next = both.channel.approver({ secret: [OTHER, SECRET] });
    expect(await next.list()).toEqual([A]);
    expect(await next.answer(A, "Approve")).toBe("delivered");
    expect(await both.outcome).toEqual({ value: approval });
  });

  it("a claim is shown only if its ask and its answer are signed", async () => {
    const { channel, approver, outcome } = await waiting({ secret: SECRET });
    await approver.answer(A, "Approve");
    await outcome;
    expect(await approver.openClaims()).toMatchObject([{ ask: A, answer: approval }]);
    await hostile.set(`${channel.base}answer:A`, line(approval, "-"));
    expect(await approver.openClaims()).toEqual([]);
    expect(channel.reports).toMatchObject([{ message: expect.stringContaining("claim was left out") }]);
  });

  it.each<[string, unknown]>([
    ["empty", ""],
    ["short", "fifteen bytes.."],
    ["short bytes", new Uint8Array(15)],
    ["a list with a short one", [SECRET, "short"]],
    ["an empty list", []],
    ["a number", 17],
    ["null", null],
    ["undefined, as an environment variable that is unset", undefined],
    ["a list that holds undefined", [undefined]],
  ])("is refused where it is %s", (_name, secret) => {
    expect(() => channelOn(server).approver({ secret: secret as string })).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });
});
