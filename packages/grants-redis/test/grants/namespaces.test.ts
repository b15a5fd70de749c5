import { describe, expect, it } from "vitest";
import { RedisClaimStore, RedisGrantStore, RedisPermissionStore } from "../../src/index.js";
import { query, wide } from "../support/grants.js";
import { sharedServer } from "../support/servers.js";

const { redis } = await sharedServer();

/** Pairs that a store which joins its parts with colons, or takes stars for patterns, would mix up. */
const PLACES = [
  ["a", "b"],
  ["a:b", "c"],
  ["a", "b:c"],
  ["a:", "c"],
  ["a", ":c"],
  ["a", "*"],
  ["*", "a"],
  ["a", "%2A"],
  ["a", "b}:grants"],
  ["a", "{b}"],
  ["a", "\ud800"],
  ["a", "\ufffd"],
  ["a", '"'],
  ["a", "B"],
] as const;

describe("stores on one connection", () => {
  it("[CASE-180] never see what another prefix or project has, colons and stars in either", async () => {
    const stores = PLACES.map(([prefix, projectId]) => new RedisGrantStore(redis, { prefix, projectId }));
    for (const [index, store] of stores.entries()) await store.save({ ...wide, note: `of ${index}` });
    for (const [index, store] of stores.entries())
      expect(await store.find(query("read"))).toEqual([{ ...wide, note: `of ${index}` }]);
    for (const [index, store] of stores.entries()) {
      expect(await store.clear()).toBe(1);
      expect((await Promise.all(stores.map((each) => each.load()))).flat()).toHaveLength(
        stores.length - index - 1,
      );
    }
  });

  it("[CASE-180] keep rules and claims apart in the same way", async () => {
    const rule = { scope: "user", tool: "Shell", pattern: "ls", effect: "allow" } as const;
    for (const [prefix, name] of PLACES) {
      const rules = new RedisPermissionStore(redis, { prefix });
      expect(await rules.rules(name)).toEqual([]);
      await rules.record(name, rule);
      expect(await new RedisClaimStore(redis, { prefix }).claim(name, { ttlMs: 60_000 })).toBe(true);
    }
  });

  it("put every key of one project in one slot, whatever it is called", async () => {
    await redis.flushall();
    const store = new RedisGrantStore(redis, { prefix: "p", projectId: "a:{b}*c" });
    await store.save(wide);
    const keys = await redis.keys("*");
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key).toMatch(/^p:\{a%3A%7Bb%7D%2Ac\}:grants/);
  });
});
