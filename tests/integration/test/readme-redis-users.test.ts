import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RedisApprover, RedisAskResolver } from "@x/ask-channel/redis";
import { RedisGrantStore } from "@x/grants-redis";
import { createGate, defineTool } from "@x/middleware";
import { PermissionCheck } from "@x/permission-core";
import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ROOT } from "./support/workspace.js";

/** The lines that a README gives to set up this user, in their order. */
async function linesOf(readme: string, user: string): Promise<string[]> {
  const text = await readFile(join(ROOT, readme), "utf8");
  return text.split("\n").filter((line) => line.startsWith(`ACL SETUSER ${user} `));
}

let server: RedisProcess;
let admin: Redis;
beforeAll(async () => {
  server = await RedisProcess.start();
  admin = new Redis(server.port);
});
afterAll(async () => {
  admin.disconnect();
  await server.close();
});

/** As Redis's own client would read a line: rules in parentheses are one argument. */
async function run(line: string): Promise<void> {
  const [command = "", ...args] = line.match(/\([^)]*\)|\S+/g) ?? [];
  await admin.call(command, ...args);
}

const deploy = defineTool({
  name: "deploy",
  description: "Deploys",
  input: z.object({ target: z.string() }),
  run: ({ target }) => `deployed to ${target}`,
});

describe("the Redis user of a worker that keeps grants and asks in one Redis, set up by the lines of both READMEs", () => {
  it("asks, remembers what was approved, and hears of a revocation", async () => {
    const [asking = ""] = await linesOf("packages/ask-channel/README.md", "agents");
    const [answering = ""] = await linesOf("packages/ask-channel/README.md", "approvers");
    const [, granting = ""] = await linesOf("packages/grants-redis/README.md", "agents");
    for (const line of [asking, answering, granting]) await run(line);

    const redis = new Redis(server.port, { username: "agents", password: "agents-password" });
    const deskRedis = new Redis(server.port, { username: "approvers", password: "approvers-password" });
    const reports: unknown[] = [];
    const onReport = (event: unknown) => void reports.push(event);
    const grants = new RedisGrantStore(redis, { projectId: "shop", cacheMs: 60_000, onReport });
    const askResolver = new RedisAskResolver({ redis, onReport });
    const approver = new RedisApprover({ redis: deskRedis, onReport });
    const gate = createGate({
      tools: [deploy],
      checks: { deploy: () => PermissionCheck.ask("Deploy?") },
      grants,
      askResolver,
      onReport,
    });
    const call = (callId: string) =>
      gate.dispatch({ toolName: "deploy", callId, input: { target: "staging" } });

    const first = call("1");
    const ask = await approver.nextPending();
    await approver.answer(ask ?? { id: "", args_digest: "" }, {
      resolution: "Approve",
      remember: "this_call",
    });
    expect((await first).gate).toMatchObject({ verdict: "ask_allowed" });
    expect((await call("2")).gate).toMatchObject({ verdict: "allow", rule_source: "grant" });
    expect(await grants.clear()).toBe(1);
    const third = call("3");
    const again = await approver.nextPending();
    await approver.answer(again ?? { id: "", args_digest: "" }, "Deny");
    expect((await third).gate).toMatchObject({ verdict: "ask_denied" });
    // The gate reports what it denied.
    expect(reports).toHaveLength(1);

    await gate.close();
    await approver.close();
    await askResolver.close();
    await grants.close();
    for (const client of [redis, deskRedis]) client.disconnect();
  });
});
