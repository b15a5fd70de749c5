import { freePort, RedisProcess } from "@x/redis-server";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RedisGrantStore } from "../../src/index.js";
import { clientOf } from "../support/clients.js";
import { query, wide } from "../support/grants.js";

const BOUND_MS = 200;
/** What a crowded machine may add. */
const SLACK_MS = 1_500;

let server: RedisProcess;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

function storeOn(redis: Redis): RedisGrantStore {
  return new RedisGrantStore(redis, { projectId: "p", timeoutMs: BOUND_MS });
}

/** What works within the bound sooner or later: a crowded machine may miss it at first. */
function soon<T>(run: () => Promise<T>): Promise<T> {
  return vi.waitFor(run, { timeout: 10_000 });
}

/** Every operation of the store, by name. */
function operationsOf(store: RedisGrantStore): [name: string, run: () => Promise<unknown>][] {
  return [
    ["load", () => store.load()],
    ["find", () => store.find(query("read"))],
    ["save", () => store.save(wide)],
    ["revoke", () => store.revoke(wide.id)],
    ["clear", () => store.clear()],
    ["loadTexts", () => store.loadTexts()],
    ["saveText", () => store.saveText(JSON.stringify(wide))],
  ];
}

/** Each operation rejects with code `storage` within the bound. */
async function expectBounded(store: RedisGrantStore): Promise<void> {
  for (const [name, run] of operationsOf(store)) {
    const startMs = performance.now();
    await expect(run(), name).rejects.toMatchObject({ code: "storage" });
    expect([name, performance.now() - startMs < BOUND_MS + SLACK_MS]).toEqual([name, true]);
  }
}

describe("a store whose server", () => {
  it.each([{}, { maxRetriesPerRequest: null }, { maxRetriesPerRequest: 0 }, { enableOfflineQueue: false }])(
    "never was there: every operation fails in time (client %j)",
    async (options) => {
      await expectBounded(storeOn(clientOf({ port: await freePort() }, options)));
    },
  );

  it.each([{}, { maxRetriesPerRequest: null }])(
    "was killed: every operation fails in time, and goes on when it is back (client %j)",
    async (options) => {
      const mortal = await RedisProcess.start();
      const redis = clientOf(mortal, { ...options, retryStrategy: () => 20 });
      const store = storeOn(redis);
      await soon(() => store.save(wide));
      await mortal.kill();
      await expectBounded(store);
      await mortal.start();
      await redis.ping();
      expect(await soon(() => store.load())).toEqual([]);
      await mortal.close();
    },
  );

  it.each([{}, { maxRetriesPerRequest: null }])(
    "is stopped: every operation fails in time, and does not happen when it goes on (client %j)",
    async (options) => {
      const mortal = await RedisProcess.start();
      const redis = clientOf(mortal, options);
      const store = storeOn(redis);
      await soon(() => store.load());
      await mortal.pause();
      await expectBounded(store);
      mortal.resume();
      await redis.ping();
      expect(await soon(() => store.load())).toEqual([]);
      await mortal.close();
    },
  );
});

describe("a client", () => {
  it("that connects late is connected by the first operation", async () => {
    const redis = clientOf(server, { lazyConnect: true });
    const store = new RedisGrantStore(redis, { projectId: "p" });
    expect(redis.status).toBe("wait");
    expect(await store.save(wide)).toEqual(wide);
    expect(await store.clear()).toBe(1);
  });

  it("that was closed is refused, and one that is closed later fails at once", async () => {
    const redis = clientOf(server);
    const store = storeOn(redis);
    await soon(() => store.load());
    await redis.quit();
    await expectBounded(store);
    await expect(store.load()).rejects.toMatchObject({ cause: { message: "Connection is closed." } });
    expect(() => storeOn(redis)).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });

  it.each([2, 3] as const)("that has subscribed is refused (RESP%i)", async (protocol) => {
    const redis = clientOf(server, { protocol });
    const store = storeOn(redis);
    await redis.subscribe("elsewhere");
    expect(() => storeOn(redis)).toThrow("has subscribed to channels");
    if (protocol === 2) await expectBounded(store);
    else expect(await soon(() => store.load())).toEqual([]);
  });

  it("whose server forgot all scripts has them sent again", async () => {
    const redis = clientOf(server);
    const store = new RedisGrantStore(redis, { projectId: "p" });
    for (const [name, run] of operationsOf(store)) {
      await redis.script("FLUSH");
      await expect(run(), name).resolves.toBeDefined();
    }
    await store.clear();
  });
});

describe("options", () => {
  it.each([
    [{ projectId: "" }],
    [{ projectId: "p".repeat(201) }],
    [{ projectDir: "" }],
    [{ projectDir: "a\0b" }],
    [{ projectId: "p", prefix: "" }],
    [{ projectId: "p", prefix: "{p}" }],
    [{ projectId: "p", prefix: "p".repeat(201) }],
    [{ projectId: "p", timeoutMs: 0 }],
    [{ projectId: "p", timeoutMs: Number.POSITIVE_INFINITY }],
    [{ projectId: "p", cacheMs: -1 }],
    [{ projectId: "p", cacheMs: 1.5 }],
  ])("%j are refused", (options) => {
    const redis = clientOf(server, { lazyConnect: true });
    expect(() => new RedisGrantStore(redis, options)).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });

  it("know a folder as the file store knows it", () => {
    const redis = clientOf(server, { lazyConnect: true });
    expect(new RedisGrantStore(redis, { projectDir: "/" }).projectId).toMatch(/^[0-9a-f]{16}$/);
  });
});
