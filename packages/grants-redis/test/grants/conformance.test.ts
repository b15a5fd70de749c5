import { grantStoreSuite } from "@x/conformance";
import type { Cluster, Redis } from "ioredis";
import { describe, it } from "vitest";
import { RedisGrantStore, type RedisGrantStoreOptions } from "../../src/index.js";
import { serverAndCluster } from "../support/servers.js";

const { toServer, toCluster } = await serverAndCluster();

let projects = 0;

/** The suite on stores over one connection; a store that is opened again has another one. */
function suiteOn(connect: () => Redis | Cluster, options: Partial<RedisGrantStoreOptions> = {}) {
  let shared: Redis | Cluster | undefined;
  const storeOf = (redis: Redis | Cluster, projectId: string) =>
    new RedisGrantStore(redis, { ...options, projectId } as RedisGrantStoreOptions);
  grantStoreSuite({
    it,
    create() {
      shared ??= connect();
      projects += 1;
      return storeOf(shared, `project ${projects}`);
    },
    reopen: ({ projectId }) => storeOf(connect(), projectId),
    cleanUp: (store) => store.close(),
  });
}

describe("a Redis store", () => {
  suiteOn(toServer);
});

describe("a Redis store with an odd prefix, on a client with a prefix of its own that speaks RESP2", () => {
  suiteOn(() => toServer({ keyPrefix: "app:*:", protocol: 2, stringNumbers: true }), {
    prefix: "odd:[*]? é:",
  });
});

describe("a Redis store on a Cluster of three nodes", () => {
  suiteOn(toCluster);
});
