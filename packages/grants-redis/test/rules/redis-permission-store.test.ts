import type { Rule } from "@x/permission-core";
import { RedisProcess, TcpProxy } from "@x/redis-server";
import { beforeEach, describe, expect, it } from "vitest";
import { RedisPermissionStore } from "../../src/index.js";
import { clientOf } from "../support/clients.js";
import { sharedServer } from "../support/servers.js";

const rule: Rule = { scope: "user", tool: "Shell", pattern: "ls", effect: "allow", exact: true };
const other: Rule = { ...rule, pattern: "pwd" };
const KEY = "permission-gate:{session=s}:rules";

const { server, redis } = await sharedServer();
beforeEach(() => redis.flushall());

describe("a session's rules in Redis", () => {
  it("live for ever unless told otherwise", async () => {
    await new RedisPermissionStore(redis).record("s", rule);
    expect(await redis.pttl(KEY)).toBe(-1);
  });

  it("are forgotten once they were neither read nor added to for so long", async () => {
    const store = new RedisPermissionStore(redis, { sessionTtlMs: 60_000 });
    for (const use of [
      () => store.record("s", rule),
      () => store.record("s", rule),
      () => store.rules("s"),
    ]) {
      await use();
      const left = await redis.pttl(KEY);
      expect(left > 59_000 && left <= 60_000).toBe(true);
      await redis.pexpire(KEY, 20_000);
      await use();
      expect((await redis.pttl(KEY)) > 59_000).toBe(true);
    }
    await redis.pexpire(KEY, 0);
    expect(await store.rules("s")).toEqual([]);
  });

  it("stay forgotten where a record that was sent again comes after", async () => {
    const proxy = await TcpProxy.start(server);
    const lossy = new RedisPermissionStore(clientOf(proxy), { timeoutMs: 10_000 });
    const store = new RedisPermissionStore(redis);
    await lossy.record("warm", rule);
    proxy.dropReplies();
    const recorded = lossy.record("s", rule);
    while ((await store.rules("s")).length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await store.forget("s");
    proxy.cut();
    await recorded;
    expect(await store.rules("s")).toEqual([]);
    await proxy.close();
  });

  it("stay where a forget that was sent again comes after they were learned anew", async () => {
    const proxy = await TcpProxy.start(server);
    const lossy = new RedisPermissionStore(clientOf(proxy), { timeoutMs: 10_000 });
    const store = new RedisPermissionStore(redis);
    await lossy.forget("warm");
    await store.record("s", rule);
    proxy.dropReplies();
    const forgotten = lossy.forget("s");
    while ((await store.rules("s")).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await store.record("s", other);
    proxy.cut();
    await forgotten;
    expect(await store.rules("s")).toEqual([other]);
    await proxy.close();
  });

  it.each(["junk", '{"tool":"Shell"}', "null"])(
    "that hold %j are refused, until they are forgotten",
    async (text) => {
      const store = new RedisPermissionStore(redis);
      await store.record("s", rule);
      await redis.rpush(KEY, text);
      await expect(store.rules("s")).rejects.toMatchObject({
        code: "storage",
        message: expect.stringContaining(KEY),
      });
      await store.forget("s");
      expect(await store.rules("s")).toEqual([]);
    },
  );

  it("are not changed by what is no rule", async () => {
    const store = new RedisPermissionStore(redis);
    await expect(store.record("s", { ...rule, effect: "maybe" } as unknown as Rule)).rejects.toMatchObject({
      code: "bad_record",
    });
    expect(await redis.keys("*")).toEqual([]);
  });

  it("cannot be had in time from a server that is stopped", async () => {
    const mortal = await RedisProcess.start();
    const store = new RedisPermissionStore(clientOf(mortal), { timeoutMs: 1_500 });
    await store.rules("s");
    await mortal.pause();
    for (const run of [() => store.rules("s"), () => store.record("s", rule), () => store.forget("s")])
      await expect(run()).rejects.toMatchObject({ code: "storage" });
    await mortal.close();
  });
});
