import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { afterAll, beforeAll } from "vitest";
import { type CallbackStore, MemoryCallbackStore } from "../../../src/webhook/index.js";
import { RedisCallbackStore } from "../../../src/webhook/redis-callback-store.js";

/** The kinds of store, each a function that gives a fresh one; `again` gives another that shares what it knows. */
export function everyStore() {
  let server: RedisProcess;
  let redis: Redis;
  let second: Redis;
  let stores = 0;
  beforeAll(async () => {
    server = await RedisProcess.start();
    redis = new Redis(server.port, server.host);
    second = new Redis(server.port, server.host, { protocol: 2, stringNumbers: true });
  });
  afterAll(async () => {
    redis.disconnect();
    second.disconnect();
    await server.close();
  });
  const memory = (): SharedStore => {
    const store = new MemoryCallbackStore();
    return { store, again: store };
  };
  const overRedis = (): SharedStore => {
    stores += 1;
    const prefix = `callbacks-${stores}`;
    return {
      store: new RedisCallbackStore(redis, { prefix }),
      again: new RedisCallbackStore(second, { prefix }),
    };
  };
  return {
    kinds: [
      ["memory", memory],
      ["Redis", overRedis],
    ] as const,
    redis: () => redis,
    server: () => server,
  };
}

export interface SharedStore {
  store: CallbackStore;
  again: CallbackStore;
}
