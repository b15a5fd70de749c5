import { claimStoreSuite } from "@x/conformance";
import type { Cluster, Redis } from "ioredis";
import { describe, it } from "vitest";
import { RedisClaimStore } from "../../src/index.js";
import { serverAndCluster } from "../support/servers.js";

const { toServer, toCluster } = await serverAndCluster();

const prefixOf = new WeakMap<RedisClaimStore, string>();
let stores = 0;

function suiteOn(connect: () => Redis | Cluster, name: string) {
  const storeOf = (prefix: string) => {
    const redis = connect();
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
    now: () => Date.now(),
  });
}

describe("a Redis claim store", () => {
  suiteOn(toServer, "claims");
});

describe("a Redis claim store with an odd prefix, on a client with a prefix of its own that speaks RESP2", () => {
  suiteOn(() => toServer({ keyPrefix: "app:*:", protocol: 2, stringNumbers: true }), "odd:[*]? é:");
});

describe("a Redis claim store on a Cluster of three nodes", () => {
  suiteOn(toCluster, "claims");
});
