import { RedisProcess } from "@x/redis-server";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RedisClaimStore } from "../../src/index.js";
import { clientOf } from "../support/clients.js";
import { serverBehindProxy } from "../support/servers.js";

const HOUR_MS = 3_600_000;

const { server, proxy } = await serverBehindProxy();

/** Starts a claim, and resolves once the server has run it; its reply is lost. */
async function claimUnheard(timeoutMs: number, key: string, prefix: string) {
  const lossy = new RedisClaimStore(clientOf(proxy), { prefix, timeoutMs });
  await lossy.claim("warm", { ttlMs: HOUR_MS });
  const beside = clientOf(server);
  proxy.dropReplies();
  const result = lossy.claim(key, { ttlMs: HOUR_MS });
  const caught = result.catch((error) => error);
  while ((await beside.keys(`${prefix}:*`)).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 2));
  return { result: caught, beside: new RedisClaimStore(beside, { prefix }) };
}

describe("a claim whose reply was lost", () => {
  it("is true for its caller when it is sent again, and for nobody else", async () => {
    const { result, beside } = await claimUnheard(10_000, "k", "resent");
    expect(await beside.claim("k", { ttlMs: HOUR_MS })).toBe(false);
    proxy.cut();
    expect(await result).toBe(true);
    expect(await beside.claim("k", { ttlMs: HOUR_MS })).toBe(false);
  });

  it("is an error where it is not heard of in time, and true for nobody else", async () => {
    const { result, beside } = await claimUnheard(300, "k", "unheard");
    expect(await result).toMatchObject({ code: "storage" });
    proxy.cut();
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await beside.claim("k", { ttlMs: HOUR_MS })).toBe(false);
  });

  it("would be false for its own caller where the claim did not say whose it is: so is a bare SET NX", async () => {
    const lossy = clientOf(proxy);
    const beside = clientOf(server);
    await lossy.ping();
    proxy.dropReplies();
    const result = lossy.set("bare", "1", "PX", HOUR_MS, "NX");
    while ((await beside.exists("bare")) === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    proxy.cut();
    expect(await result).toBe(null);
  });
});

describe("a Redis claim store", () => {
  it("says true to one of any number of claims on any number of connections", async () => {
    const stores = Array.from({ length: 4 }, () => new RedisClaimStore(clientOf(server), { prefix: "any" }));
    let keys = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 1, maxLength: 60 }), async (callers) => {
        keys += 1;
        const claims = callers.map((caller) => stores[caller]?.claim(`key ${keys}`, { ttlMs: HOUR_MS }));
        expect((await Promise.all(claims)).filter((isFirst) => isFirst === true)).toHaveLength(1);
      }),
    );
  });

  it("fails in time where the server is stopped, and claims nothing when it goes on", async () => {
    await using mortal = await RedisProcess.start();
    const redis = clientOf(mortal);
    const store = new RedisClaimStore(redis, { timeoutMs: 2_000 });
    await store.claim("warm", { ttlMs: HOUR_MS });
    await mortal.pause();
    await expect(store.claim("k", { ttlMs: HOUR_MS })).rejects.toMatchObject({ code: "storage" });
    mortal.resume();
    await redis.ping();
    expect(await store.claim("k", { ttlMs: HOUR_MS })).toBe(true);
  });

  it("leaves one key for each claim, for its time", async () => {
    const redis = clientOf(server);
    await redis.flushall();
    const store = new RedisClaimStore(redis, { prefix: "p" });
    await store.claim("a:{b}", { ttlMs: 5_000 });
    const [key = "", ...others] = await redis.keys("*");
    expect(others).toEqual([]);
    expect(key).toMatch(/^p:\{[0-9a-f]{64}\}:claim$/);
    const left = await redis.pttl(key);
    expect(left > 4_000 && left <= 5_000).toBe(true);
  });
});
