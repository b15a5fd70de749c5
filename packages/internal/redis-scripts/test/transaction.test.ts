import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { plainScript, redisScript } from "../src/redis-script.js";
import { ScriptRunner } from "../src/script-runner.js";
import { ServerClocks } from "../src/server-clocks.js";

const increment = redisScript("increment", "return redis.call('INCR', KEYS[1])");
const read = plainScript("read", "return redis.call('GET', KEYS[1])");

let server: RedisProcess;
let redis: Redis;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  redis = new Redis(server.port);
  onTestFinished(() => redis.disconnect());
  await redis.flushall();
});

const refused = { code: "storage", message: expect.stringContaining("MULTI") };

describe("a script on a client that its host has put into MULTI", () => {
  it("is refused, whether or not the server's clock is known", async () => {
    for (const isKnown of [false, true]) {
      const runner = new ScriptRunner(redis, 1_000);
      if (isKnown) await runner.run(increment, ["a"], []);
      await redis.multi({ pipeline: false });
      await expect(runner.run(increment, ["a"], [])).rejects.toMatchObject(refused);
      await expect(runner.read(read, ["a"], [])).rejects.toMatchObject(refused);
      await redis.discard();
      expect(Number(await runner.run(increment, ["b"], []))).toBe(isKnown ? 2 : 1);
    }
    expect(await redis.get("a")).toBe("1");
  });

  it("teaches nothing of the server's clock: what comes later still refuses to run too late", async () => {
    const runner = new ScriptRunner(redis, 300);
    await redis.multi({ pipeline: false });
    await expect(runner.run(increment, ["late"], [])).rejects.toMatchObject(refused);
    await redis.discard();
    await server.pause();
    await expect(runner.run(increment, ["late"], [])).rejects.toThrow("did not answer within 300 ms");
    server.resume();
    expect(await redis.get("late")).toBeNull();
  });
});

it.each([Number.NaN, Number.POSITIVE_INFINITY])(
  "a time that is %d is refused, and asked for again",
  async (time) => {
    const times = [time, 1_000_000];
    const clocks = new ServerClocks(redis, async () => times.shift() ?? 0);
    const now = async () => clocks.onServer("a", performance.now(), 1_000);
    await expect(now()).rejects.toMatchObject({ code: "storage" });
    expect((await now()) / 1_000).toBeCloseTo(1_000, 0);
  },
);
