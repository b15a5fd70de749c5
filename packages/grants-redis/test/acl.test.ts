import { readFileSync } from "node:fs";
import { RedisProcess } from "@x/redis-server";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RedisClaimStore, RedisGrantStore, RedisPermissionStore } from "../src/index.js";
import { clientOf, quietClient } from "./support/clients.js";
import { query, wide } from "./support/grants.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
/** The lines that the README gives for a Redis user, by the user's name. */
const LINES = new Map(
  Array.from(readme.matchAll(/```acl\nACL SETUSER (\w+) (.*)\n```/g), ([, user = "", rules = ""]) => [
    user,
    rules.split(" "),
  ]),
);
/** What a connection needs before its first command. */
const CONNECTING = ["+info"];

let server: RedisProcess;
let admin: Redis;
beforeAll(async () => {
  server = await RedisProcess.start();
  admin = quietClient(server.port);
});
afterAll(async () => {
  admin.disconnect();
  await server.close();
});
beforeEach(async () => {
  await admin.flushall();
  await admin.script("FLUSH");
});

/** A client that has logged in as a new user with the rules of the README, and with these after them. */
async function logIn(user: string, more: readonly string[] = []): Promise<Redis> {
  await admin.acl("SETUSER", user, "reset", ...(LINES.get(user) ?? []), ...more);
  const redis = clientOf(server, { username: user, password: "change-me" });
  await redis.echo("x").catch(() => {});
  return redis;
}

const rule = { scope: "user", tool: "Shell", pattern: "ls", effect: "allow" } as const;

/** Everything that agents do. */
async function work(redis: Redis): Promise<void> {
  const options = { projectId: "p", timeoutMs: 5_000 };
  const store = new RedisGrantStore(redis, options);
  await store.save(wide);
  await store.save({ ...wide, note: "again" });
  expect(await store.find(query("read"))).toEqual([{ ...wide, note: "again" }]);
  expect(await store.load()).toHaveLength(1);
  expect(await store.revoke(wide.id)).toMatchObject({ id: wide.id });
  await store.save(wide);
  expect(await store.clear()).toBe(1);
  await admin.hset("permission-gate:{p}:grants", "odd", "1");
  expect(await store.clear()).toBe(0);
  expect(await new RedisClaimStore(redis, options).claim("k", { ttlMs: 1 })).toBe(true);
  const rules = new RedisPermissionStore(redis, { ...options, sessionTtlMs: 60_000 });
  await rules.record("s", rule);
  expect(await rules.rules("s")).toEqual([rule]);
  await rules.forget("s");
  await listen(redis);
}

/** Hears of a change. */
async function listen(redis: Redis): Promise<void> {
  const store = new RedisGrantStore(redis, { projectId: "p", timeoutMs: 5_000, cacheMs: 60_000 });
  const until = performance.now() + 3_000;
  while ((await admin.pubsub("NUMSUB", "permission-gate:{p}:grants-changed"))[1] !== 1) {
    if (performance.now() > until) throw new Error("nobody listens");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await store.close();
}

describe("the Redis user for agents that the README gives", () => {
  it("can do all that the stores do", async () => {
    await work(await logIn("agents"));
  });

  it("can do nothing else", async () => {
    const redis = await logIn("agents");
    await admin.set("elsewhere", "1");
    for (const command of [
      () => redis.get("elsewhere"),
      () => redis.set("permission-gate", "1"),
      () => redis.get("permission-gate:x"),
      () => redis.keys("*"),
      () => redis.flushall(),
      () => redis.config("GET", "*"),
      () => redis.acl("LIST"),
      () => redis.publish("elsewhere", "1"),
      () => redis.eval("return redis.call('GET', 'elsewhere')", 0),
      () => redis.call("MONITOR"),
    ])
      await expect(command()).rejects.toThrow(/NOPERM|permissions|can't access/);
  });

  const commands = (LINES.get("agents") ?? []).filter(
    (word) => word.startsWith("+") && !CONNECTING.includes(word),
  );

  it.each(commands)("needs %s", async (command) => {
    const redis = await logIn("agents", [command.replace("+", "-")]);
    await expect(work(redis)).rejects.toThrow();
  });
});

describe("the Redis user for lookers that the README gives", () => {
  it("can look up and list grants", async () => {
    await new RedisGrantStore(admin, { projectId: "p" }).save(wide);
    const store = new RedisGrantStore(await logIn("lookers"), { projectId: "p" });
    expect(await store.find(query("read"))).toEqual([wide]);
    expect(await store.load()).toEqual([wide]);
  });

  it("can make, replace or remove none, and leaves them as they were where it tries", async () => {
    const owner = new RedisGrantStore(admin, { projectId: "p" });
    await owner.save(wide);
    const redis = await logIn("lookers");
    const store = new RedisGrantStore(redis, { projectId: "p" });
    const keys = (await admin.keys("*")).sort();
    const before = await admin.dump("permission-gate:{p}:grants");
    for (const write of [
      () => store.save({ ...wide, id: "new" }),
      () => store.save({ ...wide, note: "mine" }),
      () => store.revoke(wide.id),
      () => store.clear(),
      () => new RedisClaimStore(redis).claim("k", { ttlMs: 1_000 }),
      () => new RedisPermissionStore(redis).record("s", rule),
    ])
      await expect(write()).rejects.toMatchObject({ code: "storage" });
    expect(await admin.dump("permission-gate:{p}:grants")).toEqual(before);
    expect((await admin.keys("*")).sort()).toEqual(keys);
  });
});
