import { RedisGrantStore } from "@x/grants-redis";
import { argsDigest, createGrant, type Grant, type GrantQuery } from "@x/permission-core";
import { grantText } from "@x/permission-core/stores";
import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { measureAsync, showTime } from "./measure.js";
import type { BenchmarkSection } from "./section.js";

const GOAL_TIMES = 2;
const MANY = 10_000;

/** What atomic, ordered and bounded grants cost beside one bare command each, on one connection. */
export async function runGrantsRedisBenchmark(): Promise<BenchmarkSection> {
  const server = await RedisProcess.start();
  const redis = new Redis(server.port);
  try {
    // The many first: saving them warms up the code that both are measured with.
    const many = await measureAmong(redis, MANY);
    const few = await measureAmong(redis, 10);
    return {
      title: "Grants in Redis",
      notes: [
        "Median time per call, awaited, over one connection to a server on loopback. `HSET` writes and `HGET` reads the text of the same grant, under its id, in a hash of as many.",
        "A save replaces one grant. `find` looks for one call's grant, and checks and copies what it finds.",
      ],
      table: {
        columns: ["", "time", "ratio"],
        rows: [few, many].flatMap(({ count, set, save, get, find }) => [
          [`\`HSET\` among ${count}`, showTime(set), ""],
          [`\`save\` among ${count} grants`, showTime(save), ratio(save, set)],
          [`\`HGET\` among ${count}`, showTime(get), ""],
          [`\`find\` among ${count} grants`, showTime(find), ratio(find, get)],
        ]),
      },
      goals: [few, many].flatMap(({ count, set, save, get, find }) => [
        {
          text: `a save among ${count} grants takes at most ${GOAL_TIMES} times as long as a bare \`HSET\``,
          met: save <= GOAL_TIMES * set,
        },
        {
          text: `\`find\` among ${count} grants takes at most ${GOAL_TIMES} times as long as a bare \`HGET\``,
          met: find <= GOAL_TIMES * get,
        },
      ]),
    };
  } finally {
    redis.disconnect();
    await server.close();
  }
}

interface Costs {
  count: number;
  /** nanoseconds */
  set: number;
  save: number;
  get: number;
  find: number;
}

async function measureAmong(redis: Redis, count: number): Promise<Costs> {
  const store = new RedisGrantStore(redis, { projectId: `of ${count}`, timeoutMs: 10_000 });
  const key = `bare ${count}`;
  const grants = Array.from({ length: count }, (_, index) =>
    createGrant("shell", "Allow", { this_call: { args: argsOf(index) } }, { createdAtMs: 1 }),
  );
  // In turns: ten thousand at once would have to wait for each other longer than a store waits.
  for (let from = 0; from < count; from += 100) {
    const some = grants.slice(from, from + 100);
    await Promise.all(
      some.flatMap((grant) => [store.save(grant), redis.hset(key, grant.id, grantText(grant))]),
    );
  }
  const [grant] = grants as [Grant];
  const text = grantText(grant);
  const args = argsOf(0);
  const query: GrantQuery = { tool: "shell", args, argsDigest: argsDigest(args), nowMs: 1 };
  // What is there already would not be written again.
  let saves = 0;
  const times = await measureAsync({
    set: () => redis.hset(key, grant.id, text),
    save: () => {
      saves += 1;
      return store.save({ ...grant, note: `save ${saves % 10}` });
    },
    get: async () => {
      const found = await redis.hget(key, grant.id);
      if (found === null) throw new Error("The text was not found");
      return found;
    },
    find: async () => {
      const [found] = await store.find(query);
      if (found === undefined) throw new Error("The grant was not found");
      return found;
    },
  });
  return { count, ...times };
}

function argsOf(index: number) {
  return { command: `npm run test -- --shard ${index}` };
}

function ratio(time: number, base: number): string {
  return `${(time / base).toFixed(2)} ×`;
}
