import { getEventListeners } from "node:events";
import { askChannelSuite } from "@x/conformance";
import { type Clock, systemClock } from "@x/permission-core";
import { RedisCluster, RedisProcess } from "@x/redis-server";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { RedisApprover, RedisAskResolver, type RedisChannelOptions } from "../../src/redis/index.js";
import { type ClientOptions, freshPrefix } from "./support/channels.js";

let timers = 0;

/** The host's clock, with its timers counted: those of the channel, not those of its connections. */
const countingClock: Clock = {
  now: () => systemClock.now(),
  setTimer(callback, delayMs) {
    timers += 1;
    let isSet = true;
    const done = () => {
      if (isSet) timers -= 1;
      isSet = false;
    };
    const timer = systemClock.setTimer(() => {
      done();
      callback();
    }, delayMs);
    return {
      cancel() {
        done();
        timer.cancel();
      },
    };
  },
};

function create(redis: Redis | Cluster, options: Partial<RedisChannelOptions>) {
  const shared = { redis, prefix: freshPrefix(), onReport: () => {}, ...options };
  const resolver = new RedisAskResolver({ ...shared, clock: countingClock });
  const approver = new RedisApprover(shared);
  return {
    resolver,
    approver,
    async close() {
      await resolver.close();
      await approver.close();
    },
  };
}

const capabilities = {
  settle: () => new Promise<void>((resolve) => setTimeout(resolve, 2)),
  closeDenies: false,
  listenersOf: (signal: AbortSignal) => getEventListeners(signal, "abort").length,
  liveTimers: () => timers,
};

describe("over one server", () => {
  let server: RedisProcess;
  const clients: Redis[] = [];
  beforeAll(async () => {
    server = await RedisProcess.start();
  });
  afterAll(async () => {
    for (const redis of clients) redis.disconnect();
    await server.close();
  });

  const connect = (options: ClientOptions) => {
    const redis = new Redis({ port: server.port, ...options });
    clients.push(redis);
    return redis;
  };

  const settings: [string, ClientOptions, Partial<RedisChannelOptions>][] = [
    ["default settings", {}, {}],
    [
      "RESP2, a keyPrefix, an odd prefix, and secrets",
      { protocol: 2, keyPrefix: "app:[*]?:" },
      { prefix: "é \\[x]*\n", secret: ["now-now-now-now-now", "then-then-then-then"] },
    ],
    [
      "texts for numbers, short times, and an approver demanded",
      { stringNumbers: true },
      { leaseMs: 1_000, presenceMs: 1_500, requireApprover: true, prefix: "x".repeat(200) },
    ],
  ];
  describe.each(settings)("with %s", (_name, ofClient, ofChannel) => {
    let redis: Redis;
    beforeAll(() => {
      redis = connect(ofClient);
    });
    askChannelSuite({
      it,
      async create() {
        await redis.flushall();
        const channel = create(redis, ofChannel);
        if (ofChannel.requireApprover) await channel.approver.list();
        return channel;
      },
      ...capabilities,
    });
  });
});

describe("over a Cluster", () => {
  let cluster: RedisCluster;
  let redis: Cluster;
  beforeAll(async () => {
    cluster = await RedisCluster.start();
    redis = new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })));
  }, 60_000);
  afterAll(async () => {
    redis?.disconnect();
    await cluster?.close();
  });

  askChannelSuite({ it, create: () => create(redis, {}), ...capabilities });
});
