import { RedisCluster } from "@x/redis-server";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RedisClient } from "../src/redis-client.js";
import { ServerClocks } from "../src/server-clocks.js";

/** Of the first, the second and the third node of a Cluster. */
const KEYS = ["b", "c", "a"] as const;

let cluster: RedisCluster;
let client: Cluster;
beforeAll(async () => {
  cluster = await RedisCluster.start();
  client = new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })));
  await new Promise((resolve) => client.once("ready", resolve));
});
afterAll(async () => {
  client.disconnect();
  await cluster.close();
});

/** Clocks of nodes of which the first is 30 s ahead, and how often each was asked, by its number. */
function setUp(redis: RedisClient = client) {
  const asked = [0, 0, 0];
  const ports = cluster.nodes.map(({ port }) => port);
  const clocks = new ServerClocks(redis, async (node, keys) => {
    expect(keys).toEqual([]);
    const index = ports.indexOf("port" in node.options ? (node.options.port ?? 0) : 0);
    asked[index] = (asked[index] ?? 0) + 1;
    return index === 0 ? 1_030_000 : 1_000_000;
  });
  const at = async (key: string) => (await clocks.onServer(key, performance.now(), 1_000)) / 1_000;
  return { clocks, asked, at };
}

describe("the clocks of a Cluster's nodes", () => {
  it("are asked and kept apart: one that is ahead sets no deadline for another", async () => {
    const { asked, at } = setUp();
    for (let round = 0; round < 3; round += 1) {
      expect(await at(KEYS[0])).toBeCloseTo(1_030, 0);
      expect(await at(KEYS[1])).toBeCloseTo(1_000, 0);
      expect(await at(KEYS[2])).toBeCloseTo(1_000, 0);
    }
    expect(asked).toEqual([1, 1, 1]);
  });

  it("are found by the whole key, the client's own prefix with it", async () => {
    const prefixed = new Cluster(
      cluster.nodes.map(({ host, port }) => ({ host, port })),
      { keyPrefix: `{${KEYS[0]}}` },
    );
    await new Promise((resolve) => prefixed.once("ready", resolve));
    const { at, asked } = setUp(prefixed);
    for (const key of KEYS) expect(await at(key)).toBeCloseTo(1_030, 0);
    expect(asked).toEqual([1, 0, 0]);
    prefixed.disconnect();
  });

  it("are asked anew after one was told, which is relied on once", async () => {
    const { clocks, asked, at } = setUp();
    await at(KEYS[1]);
    const told = clocks.onServerTold(KEYS[1], performance.now(), 5_000_000) / 1_000;
    expect(told).toBeCloseTo(5_000, 0);
    expect(await at(KEYS[1])).toBeCloseTo(1_000, 0);
    expect(asked).toEqual([0, 2, 0]);
  });

  it("are asked by the key, and not kept, where the client knows no node for it", async () => {
    const lazy = new Cluster([], { lazyConnect: true });
    const asked: (readonly string[])[] = [];
    const clocks = new ServerClocks(lazy, async (redis, keys) => {
      expect(redis).toBe(lazy);
      asked.push(keys);
      return 7_000;
    });
    for (const _ of KEYS) await clocks.onServer("b", performance.now(), 1_000);
    expect(asked).toEqual([["b"], ["b"], ["b"]]);
    lazy.disconnect();
  });
});

it("a server's clock is asked once for all keys where there is one server", async () => {
  const redis = new Redis({ lazyConnect: true });
  let asked = 0;
  const clocks = new ServerClocks(redis, async () => {
    asked += 1;
    return 1_000_000;
  });
  await Promise.all(KEYS.map((key) => clocks.onServer(key, performance.now(), 1_000)));
  for (const key of KEYS) expect(clocks.onServer(key, performance.now(), 1_000)).toBeTypeOf("number");
  expect(asked).toBe(1);
  redis.disconnect();
});
