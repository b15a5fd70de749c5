import { beforeEach, describe, expect, it } from "vitest";
import { RedisGrantStore } from "../../src/index.js";
import { clientOf } from "../support/clients.js";
import { narrow, other, query, wide } from "../support/grants.js";
import { sharedServer } from "../support/servers.js";

const { server, redis } = await sharedServer();

let store: RedisGrantStore;
beforeEach(async () => {
  await redis.flushall();
  store = new RedisGrantStore(redis, { projectId: "p" });
  for (const grant of [wide, narrow, other]) await store.save(grant);
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
    expect(costs[0]).toEqual(["evalsha 1", "hget 2", "hmget 1"]);
    expect(costs[1]).toEqual(costs[0]);
  });
});

describe("a change", () => {
  const calls = async (run: () => Promise<unknown>) => {
    await redis.config("RESETSTAT");
    await run();
    const [, count] = /cmdstat_evalsha:calls=(\d+)/.exec(await redis.info("commandstats")) ?? [];
    return Number(count);
  };

  it("takes one round trip, and one more only to judge what others have saved", async () => {
    const beside = new RedisGrantStore(redis, { projectId: "p" });
    for (const mine of [store, beside]) await mine.revoke("none");
    expect(await calls(() => store.save({ ...wide, id: "new" }))).toBe(1);
    expect(await calls(() => store.save({ ...wide, note: "mine" }))).toBe(1);
    expect(await calls(() => beside.save({ ...wide, note: "mine" }))).toBe(1);
    expect(await calls(() => beside.save({ ...wide, note: "others" }))).toBe(1);
    expect(await calls(() => store.save({ ...wide, note: "mine again" }))).toBe(2);
    expect(await calls(() => store.save({ ...wide, note: "and again" }))).toBe(1);
    expect(await calls(() => store.revoke(wide.id))).toBe(2);
    expect(await calls(() => store.revoke(wide.id))).toBe(1);
  });

  it("is made anew where another came between its judgement and itself", async () => {
    const stores = Array.from({ length: 6 }, () => new RedisGrantStore(redis, { projectId: "p" }));
    const notes = stores.map((_, index) => `${index}`);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(stores.map((mine, index) => mine.save({ ...wide, note: `${index}` })));
      const loaded = await store.load();
      expect(loaded.map(({ id }) => id)).toEqual([wide.id, narrow.id, other.id]);
      expect(notes).toContain(loaded[0]?.note);
    }
    const revoked = await Promise.all(stores.map((mine) => mine.revoke(wide.id)));
    expect(revoked.filter((grant) => grant !== null)).toHaveLength(1);
    const cleared = await Promise.all([...stores.map((mine) => mine.clear()), store.save(wide)]);
    const removed = cleared
      .filter((count) => typeof count === "number")
      .reduce((sum, count) => sum + count, 0);
    expect(removed + (await store.load()).length).toBe(3);
  });
});
