import { claimStoreSuite } from "@x/conformance";
import { RedisCluster, RedisProcess } from "@x/redis-server";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { RedisClaimStore } from "../../src/index.js";

let server: RedisProcess;
let cluster: RedisCluster;
const open: (Redis | Cluster)[] = [];
beforeAll(async () => {
  [server, cluster] = await Promise.all([RedisProcess.start(), RedisCluster.start()]);
});
afterAll(async () => {
  for (const redis of open) redis.disconnect();
  await Promise.all([server.close(), cluster.close()]);
});

const prefixOf = new WeakMap<RedisClaimStore, string>();
let stores = 0;

function suiteOn(connect: () => Redis | Cluster, name: string) {
  const storeOf = (prefix: string) => {
    const redis = connect();
    open.push(redis);
    const store = new RedisClaimStore(redis, { prefix });
    prefixOf.set(store, prefix);
    return store;
  };
  claimStoreSuite({
    it,
    create() {
      stores += 1;
      return storeOf(`${name} ${stores}`);
    },
    reopen: (store) => storeOf(prefixOf.get(store) ?? ""),
    // Redis takes its own time, and no other.
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 2)),
  });
}

describe("a Redis claim store", () => {
  suiteOn(() => new Redis(server.port), "claims");
});

describe("a Redis claim store with an odd prefix, on a client with a prefix of its own that speaks RESP2", () => {
  suiteOn(
    () => new Redis(server.port, { keyPrefix: "app:*:", protocol: 2, stringNumbers: true }),
    "odd:[*]? é:",
  );
});

describe("a Redis claim store on a Cluster of three nodes", () => {
  suiteOn(() => new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port }))), "claims");
});
