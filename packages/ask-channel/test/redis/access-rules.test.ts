import { readFile } from "node:fs/promises";
import type { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { RedisCallbackStore } from "../../src/webhook/redis-callback-store.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const PREFIX = "permission-gate:asks";
const KEY = (name: string) => `{${PREFIX}}:${name}`;

/** The rules of the README's lines for a user, in their order: `approvers` has one more, for callback servers. */
async function rulesOf(user: string): Promise<string[][]> {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const blocks = Array.from(readme.matchAll(/```text\n(ACL SETUSER .*?)```/gs), ([, lines = ""]) => lines);
  return blocks
    .flatMap((lines) => lines.replaceAll("\\\n", " ").split("\n"))
    .filter((line) => line.startsWith(`ACL SETUSER ${user} `))
    .map((line) => (line.match(/\([^)]*\)|\S+/g) ?? []).slice(3));
}

const server = await serverOfFile();
let agents: Redis;
let approvers: Redis;
let admin: Redis;
const options = { username: "agents", password: "agents-password" };

/** `adapt`: what the README says of other configurations. */
async function setUp(adapt = (rule: string) => rule) {
  admin = client(server);
  await admin.flushall();
  for (const user of ["agents", "approvers"]) {
    const [rules = []] = await rulesOf(user);
    await admin.call("ACL", "SETUSER", user, "reset", ...rules.map(adapt));
  }
  agents = client(server, options);
  approvers = client(server, { username: "approvers", password: "approvers-password" });
}

describe("Redis users as the README sets them up", () => {
  it("can do all that their side does, over the way of an ask and its failures", async () => {
    await setUp();
    const channel = channelOn(server, { prefix: PREFIX, requireApprover: true, leaseMs: 1_000 });
    const resolver = channel.resolver({ redis: agents });
    const approver = channel.approver({ redis: approvers });
    const reading = approver.nextPending();
    await approver.list();
    const answer = resolver.resolve(A, wait().context);
    expect(await reading).toEqual(A);
    const other = channel.resolver({ redis: client(server, options) });
    const same = { ...A, id: "same call" };
    expect(await outcomeOf(other.resolve(same, wait().context))).toEqual({ code: "already_waiting" });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Approve" });
    expect(await approver.openClaims()).toHaveLength(1);
    await resolver.settled(A, "completed");
    expect(await approver.openClaims()).toEqual([]);

    const cancelled = wait();
    const outcome = outcomeOf(resolver.resolve(pendingAsk("B"), cancelled.context));
    await until(async () => (await approver.list()).length === 1, "another waits");
    cancelled.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    await until(async () => (await approver.list()).length === 0, "it is taken down");

    const spoilt = resolver.resolve(pendingAsk("C"), wait().context);
    await until(async () => (await approver.list()).length === 1, "a third waits");
    await admin.set(KEY("answer:C"), "spoilt");
    await until(async () => (await approver.list()).length === 0, "what is no answer hides it");
    await until(async () => (await approver.list()).length === 1, "it is put again");
    expect(await approver.resolve("C", "Deny")).toBe(true);
    expect(await spoilt).toEqual({ resolution: "Deny" });
    await approver.close();
    expect(await outcomeOf(resolver.resolve(pendingAsk("D"), wait().context))).toEqual({
      code: "ask_unavailable",
    });
    expect(channel.reports).toMatchObject([{ message: expect.stringContaining("no answer") }]);
  });

  it("an agent's cannot answer: neither as an approver nor by writing what an approver writes", async () => {
    await setUp();
    const channel = channelOn(server, { prefix: PREFIX });
    const resolver = channel.resolver({ redis: agents });
    const approver = channel.approver({ redis: client(server, options) });
    let isOver = false;
    void outcomeOf(resolver.resolve(A, wait().context)).finally(() => {
      isOver = true;
    });
    await until(async () => (await admin.exists(KEY("ask:A"))) === 1, "it waits");
    expect(await outcomeOf(approver.answer(A, "Approve"))).toEqual({ code: "storage" });
    const answerKey = KEY("answer:A");
    const line = `t - -\n{"resolution":"Approve"}`;
    for (const [command, ...args] of [
      ["SET", answerKey, line],
      ["SETNX", answerKey, line],
      ["GETSET", answerKey, line],
      ["APPEND", answerKey, line],
      ["SETRANGE", answerKey, 0, line],
      ["RENAME", KEY("ask:A"), answerKey],
      ["COPY", KEY("ask:A"), answerKey],
      ["RESTORE", answerKey, 0, "x"],
      ["EVAL", "return redis.call('SET', ARGV[1], ARGV[2])", 1, KEY("slot"), answerKey, line],
      ["ZADD", KEY("approvers"), 9e15, "x"],
      ["SUBSCRIBE", KEY("asks")],
      ["KEYS", "*"],
      ["FLUSHALL"],
      ["ACL", "WHOAMI"],
      ["CONFIG", "GET", "*"],
      ["GET", "elsewhere"],
      ["HSET", "elsewhere", "a", "b"],
    ] as const)
      await expect(agents.call(command, ...args), command).rejects.toThrow(
        /NOPERM|can.t run this command|can.t access/,
      );
    expect(await admin.exists(answerKey)).toBe(0);
    expect(isOver).toBe(false);
  });

  it("an approver's can neither ask nor take an answer, end an ask, or change one", async () => {
    await setUp();
    const channel = channelOn(server, { prefix: PREFIX, timeoutMs: 1_000 });
    const resolver = channel.resolver({ redis: agents });
    const approver = channel.approver({ redis: approvers });
    void outcomeOf(resolver.resolve(A, wait().context));
    await until(async () => (await approver.list()).length === 1, "it waits");
    const second = { username: "approvers", password: "approvers-password" };
    const asking = channel.resolver({ redis: client(server, second) });
    expect(await outcomeOf(asking.resolve(pendingAsk("B"), wait().context))).toEqual({
      code: "ask_unavailable",
    });
    for (const [command, ...args] of [
      ["HSET", KEY("ask:A"), "ask", "x"],
      ["DEL", KEY("ask:A")],
      ["PEXPIRE", KEY("ask:A"), 1],
      ["ZREM", KEY("index"), "A"],
      ["ZADD", KEY("index"), 1, "x"],
      ["ZADD", KEY("claims"), 1, "x"],
      ["HSET", KEY("calls"), "x", "y"],
      ["EVAL", "return redis.call('HSET', ARGV[1], 'wait', 'x')", 1, KEY("slot"), KEY("ask:A")],
      ["PUBLISH", KEY("asks"), "+1 - {}"],
      ["SUBSCRIBE", KEY("worker:x")],
      ["KEYS", "*"],
      ["FLUSHALL"],
      ["SET", "elsewhere", "x"],
    ] as const)
      await expect(approvers.call(command, ...args), command).rejects.toThrow(
        /NOPERM|can.t run this command|can.t access/,
      );
    expect(await approver.list()).toEqual([A]);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
  });
});

describe("in another database", () => {
  const other = { db: 2 };

  /** Both users, logged in there, and what came of an ask. */
  async function askThere() {
    for (const user of ["agents", "approvers"]) await admin.call("ACL", "SETUSER", user, "+select");
    const channel = channelOn(server, { prefix: PREFIX, leaseMs: 60_000, timeoutMs: 1_000 });
    const resolver = channel.resolver({ redis: client(server, { ...options, ...other }) });
    const answering = { username: "approvers", password: "approvers-password", ...other };
    const approver = channel.approver({ redis: client(server, answering) });
    const answer = outcomeOf(resolver.resolve(A, wait().context));
    return { approver, answer, resolver };
  }

  it("users can do what their side does where their rules name it as the README says", async () => {
    await setUp((rule) => rule.replaceAll("}:", "}:db2:"));
    const { approver, answer, resolver } = await askThere();
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ value: { resolution: "Deny" } });
    await resolver.settled(A, "completed");
    expect(await approver.openClaims()).toEqual([]);
  });

  it("users can neither ask nor answer by the rules of database 0", async () => {
    await setUp();
    const { approver, answer } = await askThere();
    expect(await answer).toEqual({ code: "ask_unavailable" });
    expect(await outcomeOf(approver.answer(A, "Approve"))).toEqual({ code: "storage" });
  });
});

describe("the user of a callback server", () => {
  /** All that a store does. */
  async function keep(redis: Redis) {
    const store = new RedisCallbackStore(redis, { timeoutMs: 1_000 });
    const use = { owner: "o", leaseMs: 1_000 };
    expect(await store.begin("message:1", use)).toEqual({ kind: "begun" });
    await store.release("message:1", use);
    expect(await store.begin("message:1", use)).toEqual({ kind: "begun" });
    await store.finish("message:1", { owner: "o", text: "done", keepMs: 60_000 });
    expect(await store.begin("message:1", use)).toEqual({ kind: "done", text: "done" });
  }

  it("can keep what was used where the README's line for it was given, and gets no other key by that", async () => {
    await setUp();
    await expect(keep(approvers)).rejects.toMatchObject({
      code: "storage",
      cause: { message: expect.stringContaining("NOPERM") },
    });
    const [, line = []] = await rulesOf("approvers");
    await admin.call("ACL", "SETUSER", "approvers", ...line);
    await keep(approvers);
    await expect(keep(agents)).rejects.toMatchObject({ code: "storage" });

    await admin.set(KEY("answer:A"), "x");
    await admin.hset(KEY("ask:A"), "a", "b");
    for (const [command, ...args] of [
      ["DEL", KEY("answer:A")],
      ["DEL", KEY("ask:A")],
      ["SET", KEY("ask:A"), "x"],
      ["EVAL", "return redis.call('DEL', ARGV[1])", 1, "permission-gate:callbacks:x", KEY("ask:A")],
      ["GET", "elsewhere"],
    ] as const)
      await expect(approvers.call(command, ...args), command).rejects.toThrow(/NOPERM|can.t access/);
  });

  it.each(["+eval", "+evalsha", "+get", "+set", "+del"])("needs %s in that line", async (command) => {
    await setUp();
    const [, line = []] = await rulesOf("approvers");
    const less = line.map((rule) => rule.replace(`${command} `, ""));
    expect(less).not.toEqual(line);
    await admin.call("ACL", "SETUSER", "approvers", ...less);
    await admin.script("FLUSH");
    await expect(keep(approvers)).rejects.toMatchObject({ code: "storage" });
  });
});
