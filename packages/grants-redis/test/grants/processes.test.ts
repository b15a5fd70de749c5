import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { RedisProcess } from "@x/redis-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { RedisGrantStore } from "../../src/index.js";
import { clientOf } from "../support/clients.js";

const SAVERS = 16;
const SAVES = 50;

let server: RedisProcess;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

function startSaver(tools: string[]): ChildProcess {
  const options = { port: server.port, projectId: "shared", tools };
  const program = fileURLToPath(new URL("../fixtures/saver.mjs", import.meta.url));
  const child = fork(program, [JSON.stringify(options)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("processes that share a ledger", () => {
  it("lose nothing when 16 of them save 50 grants each, and keep the order of each", async () => {
    const toolsOf = (saver: number) => Array.from({ length: SAVES }, (_, save) => `${saver} ${save}`);
    const savers = Array.from({ length: SAVERS }, (_, saver) => startSaver(toolsOf(saver)));
    await Promise.all(savers.map((child) => once(child, "message")));
    const saved = savers.map((child) => once(child, "message"));
    for (const child of savers) child.send("go");
    await Promise.all(saved);
    const tools = (await new RedisGrantStore(clientOf(server), { projectId: "shared" }).load()).map(
      ({ tool }) => tool,
    );
    expect(tools).toHaveLength(SAVERS * SAVES);
    for (let saver = 0; saver < SAVERS; saver += 1)
      expect(tools.filter((tool) => tool.startsWith(`${saver} `))).toEqual(toolsOf(saver));
    // They saved at the same time, so their grants lie between each other.
    expect(tools).not.toEqual(Array.from({ length: SAVERS }, (_, saver) => toolsOf(saver)).flat());
  }, 60_000);
});
