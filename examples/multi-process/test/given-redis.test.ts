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
    // Each process holds a connection until it ends.
    await until(
      async () =>
        String(await redis.client("LIST"))
          .trim()
          .split("\n").length === 1,
    );
    expect(run.files.filter((file) => file.endsWith("everybody.txt"))).toEqual([]);
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

it.each([
  ["a password that is wrong", "writer:hidden", /WRONGPASS [^)]+/],
  ["a user who may run no scripts", "reader:known", /NOPERM [^)]*eval[^)]*/],
])("ends with code 2 for %s, and says what to look at, without the password", async (_, user, reason) => {
  await redis.acl("SETUSER", "reader", "on", ">known", "~*", "&*", "+@all", "-@scripting");
  const run = new ProgramRun([], { REDIS_URL: `redis://${user}@${server.host}:${server.port}` });
  expect(await run.ended).toBe(2);
  expect(run.stdout).toBe("");
  const [told = ""] = reason.exec(run.stderr) ?? [];
  expect(told).not.toMatch(/hidden|known/);
  expect(run.stderr).toBe(
    `multi-process: Redis at 127.0.0.1:${server.port} cannot be used (${told}): see what user REDIS_URL names, by what ` +
      "password, or unset REDIS_URL for one of this run's own, or take --local.\n",
  );
});
