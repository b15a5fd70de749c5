import type { RedisProcess } from "@x/redis-server";
import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, ownServer, until } from "./support/channels.js";

/** What each process puts about one call. */
const ask = (id: string) => pendingAsk(id, { call_id: "one call", args_digest: "87005d148c61a85e" });
const YES = { resolution: "Approve", decided_by: "ana" } as const;
const SHORT = { leaseMs: 1_000, prefix: "older" };

/** A worker dies while its ask waits, and the ask is approved. */
async function approvedOnceLeft(server: RedisProcess) {
  const channel = channelOn(server, SHORT);
  const redis = client(server);
  void outcomeOf(channel.resolver({ redis }).resolve(ask("left"), wait().context));
  const approver = channel.approver();
  await until(async () => (await approver.list()).length === 1, "it is listed");
  redis.disconnect();
  expect(await approver.answer(ask("left"), YES)).toBe("delivered");
  return { channel, approver };
}

/** The call is asked about under another id, and the answer to that counts alone. */
async function expectAskedAgain(server: RedisProcess, options = {}) {
  const channel = channelOn(server, { ...SHORT, ...options });
  const approver = channelOn(server, SHORT).approver();
  const answer = channel.resolver().resolve(ask("third"), wait().context);
  await until(async () => (await approver.list()).some(({ id }) => id === "third"), "it is asked again");
  expect(await approver.list()).toEqual([ask("third")]);
  expect(await approver.answer(ask("left"), YES)).toMatch(/^(cancelled|already_answered)$/);
  expect(await approver.answer(ask("third"), { resolution: "Deny", reason: "it ran" })).toBe("delivered");
  expect(await answer).toEqual({ resolution: "Deny", reason: "it ran" });
}

describe("an answer that was taken, in a Redis that does not know it any more", () => {
  it("is not taken again after a restart from a snapshot: the call is asked about again", async () => {
    const server = await ownServer();
    const { channel } = await approvedOnceLeft(server);
    await client(server).save();
    const second = channel.resolver();
    expect(await second.resolve(ask("again"), wait().context)).toMatchObject({ ...YES, ask_id: "left" });
    await second.settled(ask("again"), "completed");
    await server.kill();
    await server.start();
    await expectAskedAgain(server);
  });

  it("is not taken again from a replica that took over: the call is asked about again", async () => {
    const server = await ownServer(["--repl-diskless-sync-delay", "0"]);
    const replica = await ownServer();
    const admin = client(replica);
    await admin.replicaof("127.0.0.1", server.port);
    const { channel } = await approvedOnceLeft(server);
    await until(async () => (await admin.exists("{older}:answer:left")) === 1, "the answer is replicated");
    await admin.replicaof("NO", "ONE");
    expect(await channel.resolver().resolve(ask("again"), wait().context)).toMatchObject(YES);
    await expectAskedAgain(replica);
  });

  it("is lost to whoever waited as well, once another asks again", async () => {
    const server = await ownServer();
    const { approver } = await approvedOnceLeft(server);
    await client(server).save();
    await server.kill();
    await server.start();
    await expectAskedAgain(server);
    expect(await approver.answer(ask("left"), YES)).toBe("already_answered");
  });
});

describe("an approval of which the reply was lost, given again to a Redis that does not know it any more", () => {
  it("is not taken a second time by another process", async () => {
    const server = await ownServer();
    const channel = channelOn(server, SHORT);
    const [first, approver] = [client(server), channel.approver()];
    const worker = channel.resolver({ redis: first });
    const taken = worker.resolve(ask("left"), wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    await client(server).save();
    expect(await approver.answer(ask("left"), YES, { answerId: "one" })).toBe("delivered");
    expect(await taken).toEqual(YES);
    await worker.settled(ask("left"), "completed");
    first.disconnect();
    await server.kill();
    await server.start();

    const again = outcomeOf(channel.resolver().resolve(ask("again"), wait().context));
    await until(async () => (await approver.list()).some(({ id }) => id === "again"), "it is asked again");
    expect(await approver.answer(ask("left"), YES, { answerId: "one" })).toBe("cancelled");
    expect(await approver.list()).toEqual([ask("again")]);
    expect(await approver.answer(ask("again"), "Deny")).toBe("delivered");
    expect(await again).toEqual({ value: { resolution: "Deny" } });
  });
});

describe("an ask that is put in the place of one of before, and sent twice", () => {
  it("waits, though the one of before was answered", async () => {
    const server = await ownServer();
    await approvedOnceLeft(server);
    await client(server).save();
    await server.kill();
    await server.start();
    const redis = client(server);
    const evalsha = redis.evalsha.bind(redis) as (...args: unknown[]) => Promise<unknown>;
    // As a client does whose connection was cut before each reply.
    redis.evalsha = (async (...args: unknown[]) => {
      await evalsha(...args);
      return evalsha(...args);
    }) as typeof redis.evalsha;
    const channel = channelOn(server, SHORT);
    const approver = channel.approver();
    const answer = outcomeOf(channel.resolver({ redis }).resolve(ask("again"), wait().context));
    await until(async () => (await approver.list()).some(({ id }) => id === "again"), "it is asked again");
    expect(await approver.answer(ask("again"), "Deny")).toBe("delivered");
    expect(await answer).toEqual({ value: { resolution: "Deny" } });
  });
});

describe("a wait, in a Redis that does not know any more that it began", () => {
  it("goes on, where it had gone on with the ask of a worker that died", async () => {
    const server = await ownServer();
    const channel = channelOn(server, SHORT);
    const [mortal, approver] = [client(server), channel.approver()];
    void outcomeOf(channel.resolver({ redis: mortal }).resolve(ask("left"), wait().context));
    await until(async () => (await approver.list()).length === 1, "it is listed");
    const admin = client(server);
    const before = await admin.hget("{older}:ask:left", "wait");
    await admin.save();
    mortal.disconnect();
    const parked: string[] = [];
    const onParked = ({ id }: { id: string }) => void parked.push(id);
    // Not silent for as long as its lease.
    const worker = channel.resolver({ leaseMs: 60_000 });
    const answer = worker.resolve(ask("again"), { ...wait().context, onParked });
    await until(() => parked.includes("left"), "it goes on with the other");
    await server.kill();
    await server.start();
    await until(async () => (await admin.hget("{older}:ask:left", "wait")) !== before, "it has it again");
    expect(await approver.answer(ask("left"), "Deny")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Deny", ask_id: "left" });
  });

  it("leaves no ask that nobody waits for, where it is called off while the one that died is given time", async () => {
    const server = await ownServer();
    const channel = channelOn(server, { ...SHORT, leaseMs: 2_000 });
    const [mortal, approver] = [client(server), channel.approver()];
    void outcomeOf(channel.resolver({ redis: mortal }).resolve(ask("left"), wait().context));
    await until(async () => (await approver.list()).length === 1, "it is listed");
    const worker = channelOn(server, { ...SHORT, leaseMs: 2_000 }).resolver();
    const dead = (await client(server).hget("{older}:ask:left", "wait")) ?? "";
    mortal.disconnect();
    const parked: string[] = [];
    const onParked = ({ id }: { id: string }) => void parked.push(id);
    const { context, cancel } = wait();
    const ended = outcomeOf(worker.resolve(ask("again"), { ...context, onParked }));
    await until(() => parked.includes("left"), "it goes on with the other");
    // As it stood in the state of before.
    const admin = client(server);
    const probes = client(server);
    const heard: string[] = [];
    probes.on("message", (_channel, message) => void heard.push(message));
    await probes.subscribe(`{older}:worker:${dead.split("/")[0]}`);
    await admin.hset("{older}:ask:left", { wait: dead, lease: Date.now() + 2_000 });
    await until(() => heard.includes(`?${dead}`), "it looks whether the other lives");
    cancel();
    expect(await ended).toEqual({ code: "ask_cancelled" });
    await until(async () => (await approver.list()).length === 0, "it is taken down");
    expect(await approver.answer(ask("left"), YES)).toBe("cancelled");
  });

  it("goes on, where its ask was put again by the object that took its first answer", async () => {
    const server = await ownServer();
    // Not silent for as long as its lease, which its first wait leaves behind.
    const channel = channelOn(server, { ...SHORT, leaseMs: 5_000 });
    const [worker, approver] = [channel.resolver(), channel.approver()];
    const first = worker.resolve(ask("left"), wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    await client(server).save();
    await approver.answer(ask("left"), "Approve");
    await first;
    const parked: string[] = [];
    const onParked = ({ id }: { id: string }) => void parked.push(id);
    const second = worker.resolve(ask("left"), { ...wait().context, onParked });
    await until(() => parked.length === 1, "it waits again");
    await server.kill();
    await server.start();
    const admin = client(server);
    const isRefreshed = async () => (await admin.hget("{older}:ask:left", "wait"))?.endsWith("/2");
    await until(async () => (await isRefreshed()) === true, "it has its ask again");
    expect(await approver.answer(ask("left"), "Deny")).toBe("delivered");
    expect(await second).toEqual({ resolution: "Deny" });
  });
});

describe("a Redis that does not tell which server it is", () => {
  it("gives no answer to another process: the call is asked about again", async () => {
    const server = await ownServer();
    await client(server).call("ACL", "SETUSER", "blind", "on", "nopass", "~*", "&*", "+@all", "-info");
    await approvedOnceLeft(server);
    const redis = client(server, { username: "blind", password: "any", enableReadyCheck: false });
    await expectAskedAgain(server, { redis });
  });
});

describe("a Redis that was the same throughout", () => {
  it("gives an answer to the process that asks again, though the ask was put before it was restarted", async () => {
    const server = await ownServer(["--appendonly", "yes", "--appendfsync", "always"]);
    const channel = channelOn(server, SHORT);
    const redis = client(server);
    // Not silent for as long as its lease. Another worker goes by its own.
    const first = channel.resolver({ redis, leaseMs: 6_000 });
    void outcomeOf(first.resolve(ask("left"), wait().context));
    const approver = channel.approver();
    await until(async () => (await approver.list()).length === 1, "it is listed");
    await server.kill();
    await server.start();
    const admin = client(server);
    const nameNow = /run_id:(\w+)/.exec(await admin.info("server"))?.[1] ?? "none";
    const isRefreshed = async () => (await admin.hget("{older}:ask:left", "server"))?.startsWith(nameNow);
    await until(async () => (await isRefreshed()) === true, "the worker gave a sign of life");
    redis.disconnect();
    expect(await approver.answer(ask("left"), YES)).toBe("delivered");
    expect(await channel.resolver().resolve(ask("again"), wait().context)).toEqual({
      ...YES,
      ask_id: "left",
    });
  });

  it("gives the answer to the process that asks again, though another had to ask again before", async () => {
    const server = await ownServer();
    const { channel } = await approvedOnceLeft(server);
    await client(server).save();
    await server.kill();
    await server.start();
    const redis = client(server);
    void outcomeOf(channelOn(server, SHORT).resolver({ redis }).resolve(ask("again"), wait().context));
    const approver = channelOn(server, SHORT).approver();
    await until(async () => (await approver.list()).length === 1, "it is asked again");
    redis.disconnect();
    expect(await approver.answer(ask("again"), YES)).toBe("delivered");
    expect(await channel.resolver().resolve(ask("third"), wait().context)).toEqual({
      ...YES,
      ask_id: "again",
    });
  });
});
