import { ManualClock } from "@x/permission-core/testing";
import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { MemoryCallbackStore } from "../../src/webhook/index.js";
import { RedisCallbackStore } from "../../src/webhook/redis-callback-store.js";
import { PATIENTLY } from "./support/patience.js";
import { everyStore } from "./support/stores.js";

const stores = everyStore();
const MINUTE = { leaseMs: 60_000 };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(stores.kinds)("a callback store in %s", (_name, create) => {
  it("gives a key to one owner, who may begin again, until it is released", async () => {
    const { store, again } = create();
    expect(await store.begin("k", { owner: "a", ...MINUTE })).toEqual({ kind: "begun" });
    expect(await again.begin("k", { owner: "a", ...MINUTE })).toEqual({ kind: "begun" });
    expect(await again.begin("k", { owner: "b", ...MINUTE })).toEqual({ kind: "busy" });
    expect(await again.begin("other", { owner: "b", ...MINUTE })).toEqual({ kind: "begun" });
    await again.release("k", { owner: "b" });
    expect(await again.begin("k", { owner: "b", ...MINUTE })).toEqual({ kind: "busy" });
    await store.release("k", { owner: "a" });
    expect(await again.begin("k", { owner: "b", ...MINUTE })).toEqual({ kind: "begun" });
  });

  it("keeps what the first left of a key that was used, and nothing else changes it", async () => {
    const { store, again } = create();
    await store.begin("k", { owner: "a", ...MINUTE });
    await again.finish("k", { owner: "b", text: "not mine", keepMs: 60_000 });
    expect(await again.begin("k", { owner: "b", ...MINUTE })).toEqual({ kind: "busy" });
    await store.finish("k", { owner: "a", text: '{"é":"\ud83d\ude00"}', keepMs: 60_000 });
    await store.finish("k", { owner: "a", text: "again", keepMs: 60_000 });
    await again.release("k", { owner: "a" });
    for (const owner of ["a", "b"]) {
      expect(await again.begin("k", { owner, ...MINUTE })).toEqual({
        kind: "done",
        text: '{"é":"\ud83d\ude00"}',
      });
    }
  });

  it("lets another have a key whose owner died, and the dead one finish it no more", async () => {
    const { store, again } = create();
    await store.begin("k", { owner: "a", leaseMs: 5 });
    await pause(20);
    expect(await again.begin("k", { owner: "b", ...MINUTE })).toEqual({ kind: "begun" });
    await store.finish("k", { owner: "a", text: "late", keepMs: 60_000 });
    await store.release("k", { owner: "a" });
    expect(await again.begin("k", { owner: "c", ...MINUTE })).toEqual({ kind: "busy" });
    await again.finish("k", { owner: "b", text: "b's", keepMs: 60_000 });
    expect(await store.begin("k", { owner: "a", ...MINUTE })).toEqual({ kind: "done", text: "b's" });
  });

  it("forgets a use when its time is over", async () => {
    const { store, again } = create();
    await store.begin("k", { owner: "a", ...MINUTE });
    await store.finish("k", { owner: "a", text: "used", keepMs: 5 });
    await pause(20);
    expect(await again.begin("k", { owner: "b", ...MINUTE })).toEqual({ kind: "begun" });
  });

  it("keeps a use whose time is longer than any clock counts", async () => {
    const { store, again } = create();
    for (const keepMs of [Number.MAX_SAFE_INTEGER, 1e19, Number.POSITIVE_INFINITY]) {
      await store.begin(`k${keepMs}`, { owner: "a", ...MINUTE });
      await store.finish(`k${keepMs}`, { owner: "a", text: "used", keepMs });
      expect(await again.begin(`k${keepMs}`, { owner: "b", ...MINUTE })).toEqual({
        kind: "done",
        text: "used",
      });
    }
  });

  it("gives a key to one of many who begin at once", async () => {
    const { store, again } = create();
    const begun = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? store : again).begin("k", { owner: `${index}`, ...MINUTE }),
      ),
    );
    expect(begun.filter(({ kind }) => kind === "begun")).toHaveLength(1);
    expect(begun.filter(({ kind }) => kind === "busy")).toHaveLength(49);
  });
});

describe("a callback store in memory", () => {
  it("holds no more than what is in use, and sets no timer", () => {
    const clock = new ManualClock();
    const store = new MemoryCallbackStore({ clock });
    for (let index = 0; index < 20_000; index += 1) {
      store.begin(`k${index}`, { owner: "a", leaseMs: 1_000 });
      store.finish(`k${index}`, { owner: "a", text: "", keepMs: 1_000 });
      clock.advance(10);
    }
    expect(store.size).toBeLessThanOrEqual(1_000);
    expect(clock.timerCount).toBe(0);
    expect(store.begin("k19999", { owner: "b", leaseMs: 1 })).toEqual({ kind: "done", text: "" });
  });
});

describe("a callback store in Redis", () => {
  it("gives every key an end", async () => {
    const redis = stores.redis();
    const store = new RedisCallbackStore(redis, { prefix: "ends" });
    await store.begin("held", { owner: "a", leaseMs: 60_000 });
    await store.finish("used", { owner: "a", text: "", keepMs: 90_000.5 });
    for (const key of await redis.keys("ends:*")) expect(await redis.pttl(key)).toBeGreaterThan(0);
    expect((await redis.keys("ends:*")).toSorted()).toEqual(["ends:held", "ends:used"]);
  });

  it("rejects with code storage for what is no key of its own, and where Redis is down or hangs, within its time", async () => {
    const server = await RedisProcess.start();
    const redis = new Redis(server.port, server.host, {
      retryStrategy: () => 50,
      maxRetriesPerRequest: null,
    });
    redis.on("error", () => {});
    onTestFinished(async () => {
      redis.disconnect();
      await server.close();
    });
    const store = new RedisCallbackStore(redis, { prefix: "foreign", timeoutMs: 300 });
    const storage = expect.objectContaining({ code: "storage" });
    await redis.rpush("foreign:list", "x");
    await expect(store.begin("list", { owner: "a", ...MINUTE })).rejects.toEqual(storage);
    await redis.set("foreign:text", "neither held nor done");
    expect(await store.begin("text", { owner: "a", ...MINUTE })).toEqual({ kind: "busy" });
    await server.pause();
    await expect(store.begin("k", { owner: "a", ...MINUTE })).rejects.toEqual(storage);
    server.resume();
    await server.kill();
    await expect(store.begin("k", { owner: "a", ...MINUTE })).rejects.toEqual(storage);
    await server.start();
    await expect
      .poll(() => store.begin("k", { owner: "b", ...MINUTE }).catch(() => null), PATIENTLY)
      .toEqual({ kind: "begun" });
  });

  it("refuses a client that cannot run commands, a prefix with braces and a time that is none", async () => {
    const redis = stores.redis();
    const invalid = expect.objectContaining({ code: "invalid_option" });
    expect(() => new RedisCallbackStore(redis, { prefix: "{a}" })).toThrow(invalid);
    expect(() => new RedisCallbackStore(redis, { timeoutMs: 0 })).toThrow(invalid);
    const closed = redis.duplicate({ lazyConnect: true });
    closed.disconnect();
    expect(() => new RedisCallbackStore(closed)).toThrow(invalid);
  });
});
