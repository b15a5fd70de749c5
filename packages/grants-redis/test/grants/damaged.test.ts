import { grantText } from "@x/permission-core/stores";
import { RedisProcess } from "@x/redis-server";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RedisGrantStore } from "../../src/index.js";
import { clientOf, quietClient } from "../support/clients.js";
import { narrow, other, query, wide } from "../support/grants.js";

let server: RedisProcess;
let redis: Redis;
beforeAll(async () => {
  server = await RedisProcess.start();
  redis = quietClient(server.port);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const KEY = "permission-gate:{p}:grants";
const damaged = { code: "ledger_damaged", message: expect.stringContaining(KEY) };
let store: RedisGrantStore;
beforeEach(async () => {
  await redis.flushall();
  store = new RedisGrantStore(redis, { projectId: "p" });
  for (const grant of [wide, narrow, other]) await store.save(grant);
});

/** The value of the field in which the grant lies. */
const recordOf = async (id: string) => (await redis.hget(KEY, `e${id}`)) ?? "";
/** The field of the list that names the grant. */
const listOf = async (id: string) => (await recordOf(id)).split(" ")[1] ?? "";

/** Ways to damage what is looked up for a call of `read`. */
const DAMAGES: Record<string, () => Promise<unknown>> = {
  "a record without a place": () => redis.hset(KEY, `e${wide.id}`, grantText(wide)),
  "an empty record": () => redis.hset(KEY, `e${wide.id}`, ""),
  "a text that is no JSON": async () =>
    redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace("{", "")),
  "a grant with a verdict that there is not": async () =>
    redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace("Allow", "Maybe")),
  "a grant for another tool": async () =>
    redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace('"read"', '"write"')),
  "a grant that a list names and that is gone": () => redis.hdel(KEY, `e${wide.id}`),
  "a list that is no JSON": async () => redis.hset(KEY, await listOf(wide.id), "read"),
  "a list that is no list": async () => redis.hset(KEY, await listOf(wide.id), "7"),
  "a list of what are no ids": async () => redis.hset(KEY, await listOf(wide.id), "[true]"),
  "a list that names a grant of another": async () =>
    redis.hset(KEY, await listOf(wide.id), JSON.stringify([wide.id, other.id])),
  "another kind of key": () => redis.multi().del(KEY).rpush(KEY, "grants").exec(),
};

describe("a ledger that holds what its store did not put there", () => {
  it.each(Object.keys(DAMAGES))("answers no look-up and lists nothing: %s", async (name) => {
    await DAMAGES[name]?.();
    await expect(store.find(query("read", { path: "/etc" }))).rejects.toMatchObject(damaged);
    await expect(store.load()).rejects.toMatchObject(damaged);
  });

  it.each([
    [
      "an entry that no list names",
      () => redis.hset(KEY, "enew", `9 c0:every ${grantText({ ...wide, id: "new" })}`),
    ],
    ["an entry under another id", async () => redis.hset(KEY, "enew", await recordOf(wide.id))],
    ["a field that is not known", () => redis.hset(KEY, "later", "1")],
    ["a list without what it named", async () => redis.hdel(KEY, await listOf(narrow.id))],
  ] as const)("lists nothing: %s", async (_, damage) => {
    await damage();
    await expect(store.load()).rejects.toMatchObject(damaged);
  });

  it("is not written over where it must be read first", async () => {
    await redis.hset(KEY, `e${wide.id}`, "junk");
    await expect(store.save(wide)).rejects.toMatchObject(damaged);
    await expect(store.revoke(wide.id)).rejects.toMatchObject(damaged);
    expect(await recordOf(wide.id)).toBe("junk");
    await redis.multi().del(KEY).set(KEY, "mine").exec();
    for (const write of [store.save(wide), store.revoke(wide.id)])
      await expect(write).rejects.toMatchObject(damaged);
    expect(await redis.get(KEY)).toBe("mine");
  });

  it.each([
    ["another kind of key", () => redis.multi().del(KEY).set(KEY, "mine").exec()],
    ["a record without a place", () => redis.hset(KEY, `e${wide.id}`, "junk")],
    [
      "an entry that no list names",
      () => redis.hset(KEY, "enew", `9 c0:every ${grantText({ ...wide, id: "new" })}`),
    ],
    ["a field that is not known", () => redis.hset(KEY, "later", "1")],
    ["a list that is no JSON", async () => redis.hset(KEY, await listOf(wide.id), "read")],
  ] as const)(
    "is kept under another key by clear(), which gives 0, and the store goes on: %s",
    async (_, damage) => {
      await damage();
      const before = await redis.dump(KEY);
      expect(await store.clear()).toBe(0);
      expect(await store.load()).toEqual([]);
      const [aside = "", ...others] = await redis.keys(`${KEY}:damaged-*`);
      expect(others).toEqual([]);
      expect(await redis.dump(aside)).toEqual(before);
      await store.save(wide);
      expect(await store.find(query("read"))).toEqual([wide]);
    },
  );

  it("gives the texts of its entries, also of those that are no grants", async () => {
    await redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace("Allow", "Maybe"));
    expect(await store.loadTexts()).toEqual([
      grantText(wide).replace("Allow", "Maybe"),
      grantText(narrow),
      grantText(other),
    ]);
    await redis.hset(KEY, `e${wide.id}`, "junk");
    await expect(store.loadTexts()).rejects.toMatchObject(damaged);
  });
});

describe("a look-up", () => {
  it("takes one command of the client and as many of the server among 2,000 grants as among 3", async () => {
    const client = clientOf(server);
    const mine = new RedisGrantStore(client, { projectId: "p", timeoutMs: 15_000 });
    const costs: string[][] = [];
    for (const count of [0, 2_000]) {
      const rest = Array.from({ length: count }, (_, index) => ({
        ...narrow,
        id: `${index}`,
        tool: `tool ${index}`,
      }));
      await Promise.all(rest.map((grant) => mine.save(grant)));
      await mine.find(query("read", { path: "/etc" }));
      await redis.config("RESETSTAT");
      expect(await mine.find(query("read", { path: "/etc" }))).toEqual([wide, narrow]);
      const stats = await redis.info("commandstats");
      costs.push(
        Array.from(stats.matchAll(/cmdstat_(\w+):calls=(\d+)/g), ([, name, calls]) => `${name} ${calls}`)
          .filter((line) => !line.startsWith("config") && !line.startsWith("info"))
          .sort(),
      );
    }
    expect(costs[0]).toEqual(["evalsha 1", "hget 2", "hmget 1", "time 1"]);
    expect(costs[1]).toEqual(costs[0]);
  });
});
