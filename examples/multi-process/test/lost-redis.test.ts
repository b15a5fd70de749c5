import { RedisProcess } from "@x/redis-server";
import { expect, it } from "vitest";
import { ProgramRun } from "./support/run-program.js";

it("ends by itself, with nothing approved, when Redis is lost while asks wait", async () => {
  await using server = await RedisProcess.start();
  const run = new ProgramRun([], { REDIS_URL: server.url });
  await run.parked("worker-3/3");
  await server.kill();
  expect(await run.ended).toBe(1);
  expect(run.rows.at(-1)).toEqual(["worker-3/3", "publish", "ask_expired", "nobody", "denied", "1"]);
  expect(run.stderr).toContain("multi-process: Redis");
  expect(run.hasProcesses).toBe(false);
  expect(run.files).toEqual([]);
}, 90_000);
