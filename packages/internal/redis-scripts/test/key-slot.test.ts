import { RedisCluster } from "@x/redis-server";
import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { keySlot } from "../src/key-slot.js";

it("finds the slot that a Cluster places a key in", async () => {
  expect(keySlot("123456789")).toBe(12_739);
  const cluster = await RedisCluster.start();
  const [node] = cluster.nodes;
  const redis = new Redis(node?.port ?? 0);
  const keys = ["", "a", "é😀", "a:{b}:c", "{}a", "{}{b}", "a{b{c}d}", "a}b{c}", "{a", "a{b}{c}", "\u0000"];
  for (const key of keys) expect(keySlot(key)).toBe(Number(await redis.call("CLUSTER", "KEYSLOT", key)));
  redis.disconnect();
  await cluster.close();
});
