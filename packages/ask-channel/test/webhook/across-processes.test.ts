import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { RedisApprover, RedisAskResolver } from "../../src/redis/index.js";
import { createCallbackHandler, nodeListener, WebhookAskResolver } from "../../src/webhook/index.js";
import { serverOfFile } from "../redis/support/channels.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { callbackBody, SECRET, signedHeaders } from "./support/callbacks.js";
import { type Respond, startEndpoint, status } from "./support/endpoint.js";
import { PATIENTLY } from "./support/patience.js";
import { serve } from "./support/serve.js";

const A = pendingAsk("A");
const PROGRAM = fileURLToPath(new URL("../fixtures/callback-server.mjs", import.meta.url));

const server = await serverOfFile();

/** A worker that waits on Redis for the callbacks that other processes take. */
async function startWorker(respond: Respond, callbackUrl: string) {
  const redis = new Redis(server.url);
  await redis.flushall();
  const waitOn = new RedisAskResolver({ redis, ...SILENT });
  const endpoint = await startEndpoint(respond);
  const options = { url: endpoint.url, secrets: [SECRET], allowPrivateNetwork: true };
  const resolver = new WebhookAskResolver({ ...options, callbackUrl, waitOn, ...SILENT });
  onTestFinished(async () => {
    await resolver.close();
    await waitOn.close();
    redis.disconnect();
  });
  return { resolver, ...endpoint };
}

async function startCallbackServer(...args: string[]): Promise<{ url: string; child: ChildProcess }> {
  const argv = [PROGRAM, server.url, SECRET, ...args];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = await once(createInterface(child.stdout), "line");
  return { url, child };
}

function messageFor(token: string) {
  const body = callbackBody(A, { token, decided_by: "ana" });
  return { method: "POST", headers: signedHeaders(body, { id: "one", atMs: Date.now() }), body };
}

describe("an ask by webhook whose callback another process takes", () => {
  it("is answered there, also where the endpoint calls back before the ask can be seen everywhere", async () => {
    const redis = new Redis(server.url);
    const deliver = new RedisApprover({ redis, ...SILENT });
    const handler = createCallbackHandler({ deliver, secrets: [SECRET], ...SILENT });
    const callbacks = await serve(nodeListener(handler));
    onTestFinished(async () => {
      await callbacks.close();
      await deliver.close();
      redis.disconnect();
    });
    const told: number[] = [];
    const { resolver } = await startWorker(async (response, { message }) => {
      told.push((await fetch(callbacks.url, messageFor(message.token))).status);
      response.writeHead(202).end();
    }, callbacks.url);
    const outcome = await outcomeOf(resolver.resolve(A, wait().context));
    expect(outcome).toMatchObject({ value: { resolution: "Approve", decided_by: "ana" } });
    expect(told).toEqual([200]);
  });

  it("is answered once where the process that took it is killed before it could say so, and another is told again", async () => {
    const dying = await startCallbackServer("dies");
    const survivor = await startCallbackServer();
    const { resolver, received } = await startWorker(status(202), dying.url);
    const outcome = outcomeOf(resolver.resolve(A, wait().context));
    await expect.poll(() => received.length, PATIENTLY).toBe(1);
    const message = messageFor(received[0]?.message.token ?? "");
    const gone = once(dying.child, "exit");
    await expect(fetch(dying.url, message)).rejects.toThrow("fetch failed");
    expect(await gone).toEqual([null, "SIGKILL"]);
    const again = async () => (await fetch(survivor.url, message)).status;
    // 503 until the lease of the killed one has run out.
    expect([200, 503]).toContain(await again());
    await expect.poll(again, PATIENTLY).toBe(200);
    expect(await outcome).toMatchObject({ value: { resolution: "Approve", decided_by: "ana" } });
    const other = callbackBody(A, { token: received[0]?.message.token, resolution: "Deny" });
    const init = {
      method: "POST",
      headers: signedHeaders(other, { id: "two", atMs: Date.now() }),
      body: other,
    };
    expect((await fetch(survivor.url, init)).status).toBe(409);
  });
});
