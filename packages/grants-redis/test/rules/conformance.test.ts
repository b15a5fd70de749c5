import { permissionStoreSuite } from "@x/conformance";
import type { Cluster, Redis } from "ioredis";
import { describe, it } from "vitest";
import { RedisPermissionStore, type RedisPermissionStoreOptions } from "../../src/index.js";
import { serverAndCluster } from "../support/servers.js";

const { toServer, toCluster } = await serverAndCluster();

const prefixOf = new WeakMap<RedisPermissionStore, string>();
let stores = 0;

function suiteOn(
  connect: () => Redis | Cluster,
  name: string,
  options: Omit<RedisPermissionStoreOptions, "prefix"> = {},
) {
  const storeOf = (prefix: string) => {
    const redis = connect();
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
  suiteOn(toServer, "rules");
});

describe("learned rules in Redis with an odd prefix, forgotten in time, on a client with a prefix of its own that speaks RESP2", () => {
  suiteOn(() => toServer({ keyPrefix: "app:*:", protocol: 2, stringNumbers: true }), "odd:[*]? é:", {
    sessionTtlMs: 3_600_000,
  });
});

describe("learned rules in a Cluster of three nodes", () => {
  suiteOn(toCluster, "rules");
});
