import { grantStoreSuite } from "@x/conformance";
import { RedisCluster, RedisProcess } from "@x/redis-server";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { RedisGrantStore, type RedisGrantStoreOptions } from "../../src/index.js";

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

let projects = 0;

/** The suite on stores over one connection; a store that is opened again has another one. */
function suiteOn(connect: () => Redis | Cluster, options: Partial<RedisGrantStoreOptions> = {}) {
  let shared: Redis | Cluster | undefined;
  const connected = () => {
    const redis = connect();
    open.push(redis);
    return redis;
  };
  const storeOf = (redis: Redis | Cluster, projectId: string) =>
    new RedisGrantStore(redis, { ...options, projectId } as RedisGrantStoreOptions);
  grantStoreSuite({
    it,
    create() {
      shared ??= connected();
      projects += 1;
      return storeOf(shared, `project ${projects}`);
    },
    reopen: ({ projectId }) => storeOf(connected(), projectId),
    cleanUp: (store) => store.close(),
  });
}

describe("a Redis store", () => {
  suiteOn(() => new Redis(server.port));
});

describe("a Redis store with an odd prefix, on a client with a prefix of its own that speaks RESP2", () => {
  suiteOn(() => new Redis(server.port, { keyPrefix: "app:*:", protocol: 2, stringNumbers: true }), {
    prefix: "odd:[*]? é:",
  });
});

describe("a Redis store on a Cluster of three nodes", () => {
  suiteOn(() => new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port }))));
});
