import { RedisCluster, type RedisProcess } from "@x/redis-server";
import { Cluster, Redis } from "ioredis";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, until } from "./support/channels.js";

const LEFT = pendingAsk("left", { session_id: "s", run_id: "r" });
const YES = { resolution: "Approve", decided_by: "ana" } as const;

const cluster = await RedisCluster.start();
afterAll(() => cluster.close());

const nodes = new Map<RedisProcess, Redis>(cluster.nodes.map((node) => [node, new Redis(node.port)]));
afterAll(() => {
  for (const redis of nodes.values()) redis.disconnect();
});

/** A client of the whole Cluster that ends with the test. */
function connect(): Cluster {
  const redis = new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })));
  redis.on("error", () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** How the slot of `key` moves from its node to another one, as `redis-cli --cluster reshard` moves it. */
async function moving(key: string) {
  const [any] = nodes.values();
  const slot = Number(await any?.cluster("KEYSLOT", key));
  const at = [5_461, 10_923, 16_384].findIndex((end) => slot < end);
  const [from, to] = [cluster.nodes[at], cluster.nodes[(at + 1) % 3]] as [RedisProcess, RedisProcess];
  const [source, target] = [nodes.get(from), nodes.get(to)] as [Redis, Redis];
  const [sourceId, targetId] = await Promise.all([source, target].map((node) => node.cluster("MYID")));
  return {
    async begin() {
      await target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", String(sourceId));
      await source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", String(targetId));
    },
    async end() {
      const keys = (await source.call("CLUSTER", "GETKEYSINSLOT", slot, 1_000)) as string[];
      if (keys.length > 0) await source.call("MIGRATE", to.host, to.port, "", 0, 5_000, "KEYS", ...keys);
      for (const node of [target, source, ...nodes.values()])
        await node.call("CLUSTER", "SETSLOT", slot, "NODE", String(targetId));
    },
  };
}

it("an ask outlives the move of its slot, during which nobody sees or answers it, and is answered once", async () => {
  const channel = channelOn({ port: 0 }, { leaseMs: 3_000, timeoutMs: 1_000 });
  const resolver = channel.resolver({ redis: connect() });
  const approver = channel.approver({ redis: connect() });
  const ask = pendingAsk("A");
  const answer = resolver.resolve(ask, wait().context);
  await until(async () => (await approver.list()).length === 1, "it is listed");

  const move = await moving(channel.base);
  await move.begin();
  expect(await approver.list()).toEqual([]);
  expect(await approver.answer(ask, "Deny")).toBe("unknown");
  expect(await outcomeOf(resolver.resolve(pendingAsk("B"), wait().context))).toEqual({
    code: "ask_unavailable",
  });
  // Its worker looks for it three times in each lease.
  await new Promise((resolve) => setTimeout(resolve, 1_400));
  await move.end();

  await until(async () => (await approver.list()).length > 0, "it is listed again");
  expect(await approver.list()).toEqual([ask]);
  expect(await approver.answer(ask, YES)).toBe("delivered");
  expect(await approver.answer(ask, "Deny")).toBe("already_answered");
  expect(await answer).toEqual(YES);
  expect(await approver.openClaims()).toMatchObject([{ ask, answer: YES }]);
});

it("an answer of before the move is not taken by another process, which asks again", async () => {
  const channel = channelOn({ port: 0 }, { leaseMs: 3_000, timeoutMs: 1_000 });
  const approver = channel.approver({ redis: connect() });
  const mortal = connect();
  void outcomeOf(channel.resolver({ redis: mortal }).resolve(LEFT, wait().context));
  await until(async () => (await approver.list()).length === 1, "it is listed");
  mortal.disconnect();
  expect(await approver.answer(LEFT, YES)).toBe("delivered");
  const move = await moving(channel.base);
  await move.begin();
  await move.end();

  const answer = channel.resolver({ redis: connect() }).resolve({ ...LEFT, id: "again" }, wait().context);
  await until(async () => (await approver.list()).some(({ id }) => id === "again"), "it is asked again");
  expect(await approver.answer({ ...LEFT, id: "again" }, "Deny")).toBe("delivered");
  expect(await answer).toEqual({ resolution: "Deny" });
});
