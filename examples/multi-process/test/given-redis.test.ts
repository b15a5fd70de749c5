import { freePort, RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { leftInRedis } from "../src/report/leftovers.js";
import { ProgramRun } from "./support/run-program.js";
import { until } from "./support/until.js";

const WITHIN_MS = 90_000;

let server: RedisProcess;
let redis: Redis;

beforeAll(async () => {
  server = await RedisProcess.start();
  redis = new Redis(server.url);
  return async () => {
    redis.disconnect();
    await server.close();
  };
});

beforeEach(() => redis.flushall());

it(
  "takes the Redis that REDIS_URL names, leaves no connection there and no key that stays",
  async () => {
    await redis.set("of somebody else", "1");
    const run = new ProgramRun([], { REDIS_URL: server.url });
    expect(await run.ended, run.stderr).toBe(0);

    expect(run.facts("where")).toEqual([
      `a process for each, and Redis: 127.0.0.1:${server.port}, by REDIS_URL`,
    ]);
    expect(run.rows).toHaveLength(9);
    const keys = await redis.keys("*");
    // Late answers are told for a while how their asks ended: those that nobody answered too.
    expect(keys.filter((key) => key.includes(":ask:"))).toHaveLength(5);
    const lives = await Promise.all(keys.map(async (key) => [key, await redis.pttl(key)] as const));
    expect(lives.filter(([, life]) => life === -1)).toEqual([["of somebody else", -1]]);
    expect(
      String(await redis.client("LIST"))
        .trim()
        .split("\n"),
    ).toHaveLength(1);
  },
  WITHIN_MS,
);

it(
  "ends its processes, and runs nothing more, when it is killed itself",
  async () => {
    const run = new ProgramRun([], { REDIS_URL: server.url });
    await run.parked("worker-3/3");
    run.kill("SIGKILL");
    await run.ended;
    // The output was open in every process: all have ended.
    expect(run.files.filter((file) => file.endsWith("everybody.txt"))).toEqual([]);
    await until(
      async () =>
        String(await redis.client("LIST"))
          .trim()
          .split("\n").length === 1,
    );
  },
  WITHIN_MS,
);

it(
  "ends by itself, with nothing approved, when Redis is lost while asks wait",
  async () => {
    const own = await RedisProcess.start();
    try {
      const run = new ProgramRun([], { REDIS_URL: own.url });
      await run.parked("worker-3/3");
      await own.kill();
      expect(await run.ended).toBe(1);
      expect(run.rows.at(-1)).toEqual(["worker-3/3", "publish", "ask_expired", "nobody", "denied", "1"]);
      expect(run.stderr).toContain("multi-process: Redis");
      expect(run.hasProcesses).toBe(false);
      expect(run.files).toEqual([]);
    } finally {
      await own.close();
    }
  },
  WITHIN_MS,
);

it("counts a key that would stay for ever, and no key of another run", async () => {
  await redis.set("of another run", "1");
  await redis.set("{run-1:asks}:ask:1", "1", "PX", 60_000);
  expect(await leftInRedis(redis, "run-1")).toEqual({ "keys without an end": 0 });
  await redis.persist("{run-1:asks}:ask:1");
  expect(await leftInRedis(redis, "run-1")).toEqual({ "keys without an end": 1 });
});

it("ends with code 2 and says what to do where no Redis listens, and nothing runs", async () => {
  const port = await freePort();
  const run = new ProgramRun([], { REDIS_URL: `redis://user:hidden@127.0.0.1:${port}` });
  expect(await run.ended).toBe(2);
  expect(run.stdout).toBe("");
  expect(run.stderr).toBe(
    `multi-process: Redis at 127.0.0.1:${port} cannot be used (connect ECONNREFUSED 127.0.0.1:${port}): ` +
      "start it, or unset REDIS_URL for one of this run's own, or take --local.\n",
  );
  expect(run.files).toEqual([]);
});

it("ends with code 2 for an option that it does not know", async () => {
  const run = new ProgramRun(["--lokal"]);
  expect(await run.ended).toBe(2);
  expect(run.stderr).toMatch(/^Usage: /);
  expect(run.stdout).toBe("");
});
