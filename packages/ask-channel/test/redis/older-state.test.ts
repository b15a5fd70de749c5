import type { RedisProcess } from "@x/redis-server";
import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, ownServer, until } from "./support/channels.js";

/** What each process puts about one call. */
const ask = (id: string) => pendingAsk(id, { call_id: "one call", args_digest: "87005d148c61a85e" });
const YES = { resolution: "Approve", decided_by: "ana" } as const;
const SHORT = { leaseMs: 300, prefix: "older" };

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

/** The call is asked about, and the answer to that counts. */
async function expectAskedAgain(server: RedisProcess, options = {}) {
  const channel = channelOn(server, { ...SHORT, ...options });
  const approver = channelOn(server, SHORT).approver();
  const shown = approver.nextPending();
  const answer = channel.resolver().resolve(ask("third"), wait().context);
  expect(await shown).toMatchObject({ id: "left", call_id: "one call" });
  expect(await approver.list()).toHaveLength(1);
  expect(await approver.answer(ask("left"), { resolution: "Deny", reason: "it ran" })).toBe("delivered");
  expect(await answer).toEqual({ resolution: "Deny", reason: "it ran", ask_id: "left" });
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
    void outcomeOf(channel.resolver({ redis }).resolve(ask("left"), wait().context));
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

  it("gives the answer to the process that asks again, though it had to go on with the ask of another before", async () => {
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
    expect(await approver.answer(ask("left"), YES)).toBe("delivered");
    expect(await channel.resolver().resolve(ask("third"), wait().context)).toEqual({
      ...YES,
      ask_id: "left",
    });
  });
});
