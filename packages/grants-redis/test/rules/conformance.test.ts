import { permissionStoreSuite } from "@x/conformance";
import { RedisCluster, RedisProcess } from "@x/redis-server";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { RedisPermissionStore, type RedisPermissionStoreOptions } from "../../src/index.js";

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

const prefixOf = new WeakMap<RedisPermissionStore, string>();
let stores = 0;

function suiteOn(
  connect: () => Redis | Cluster,
  name: string,
  options: Omit<RedisPermissionStoreOptions, "prefix"> = {},
) {
  const storeOf = (prefix: string) => {
    const redis = connect();
    open.push(redis);
    const store = new RedisPermissionStore(redis, { ...options, prefix });
    prefixOf.set(store, prefix);
    return store;
  };
  permissionStoreSuite({
    it,
    mostRules: 256,
    create() {
      stores += 1;
      return storeOf(`${name} ${stores}`);
    },
    reopen: (store) => storeOf(prefixOf.get(store) ?? ""),
  });
}

describe("learned rules in Redis", () => {
  suiteOn(() => new Redis(server.port), "rules");
});

describe("learned rules in Redis with an odd prefix, forgotten in time, on a client with a prefix of its own that speaks RESP2", () => {
  suiteOn(
    () => new Redis(server.port, { keyPrefix: "app:*:", protocol: 2, stringNumbers: true }),
    "odd:[*]? é:",
    { sessionTtlMs: 3_600_000 },
  );
});

describe("learned rules in a Cluster of three nodes", () => {
  suiteOn(() => new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port }))), "rules");
});
