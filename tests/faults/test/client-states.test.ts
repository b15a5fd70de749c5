import { randomUUID } from "node:crypto";
import { RedisApprover, RedisAskResolver, type RedisChannelOptions } from "@x/ask-channel/redis";
import { RedisClaimStore, RedisGrantStore, RedisPermissionStore } from "@x/grants-redis";
import type { PendingAsk } from "@x/permission-core";
import { freePort, RedisProcess } from "@x/redis-server";
import { Redis, type RedisOptions } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AT_MOST_MS, failureOf } from "./support/failure.js";
import { expectNoProcessLeft } from "./support/processes.js";
import { oneListed, stage } from "./support/stage.js";
import { until } from "./support/until.js";

expectNoProcessLeft();

const TIMEOUT_MS = 1_000;

let server: RedisProcess;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

function client(port: number, options: RedisOptions & { replyMapping?: "legacy" } = {}): Redis {
  const redis = new Redis({ host: "127.0.0.1", port, ...options });
  redis.on("error", () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

function sides(redis: Redis) {
  const options: RedisChannelOptions = { redis, timeoutMs: TIMEOUT_MS, leaseMs: 600, onReport: () => {} };
  const [resolver, approver] = [new RedisAskResolver(options), new RedisApprover(options)];
  onTestFinished(async () => {
    await Promise.all([resolver.close(), approver.close()]);
  });
  return { resolver, approver };
}

function ask(expiresInMs?: number): PendingAsk {
  const call = { turn: 0, call_id: randomUUID(), tool: "deploy", args_digest: "digest" };
  const pending = { id: randomUUID(), session_id: "session", run_id: "run", ...call, prompt: "Deploy?" };
  return expiresInMs === undefined ? pending : { ...pending, expires_at_ms: Date.now() + expiresInMs };
}

function put(resolver: RedisAskResolver, pending = ask()) {
  return resolver.resolve(pending, { signal: new AbortController().signal });
}

const makers: [string, (redis: Redis) => object][] = [
  ["RedisAskResolver", (redis) => new RedisAskResolver({ redis })],
  ["RedisApprover", (redis) => new RedisApprover({ redis })],
  ["RedisGrantStore", (redis) => new RedisGrantStore(redis, { projectId: "p" })],
  ["RedisClaimStore", (redis) => new RedisClaimStore(redis)],
  ["RedisPermissionStore", (redis) => new RedisPermissionStore(redis)],
];

describe.each(makers)("%s", (_name, make) => {
  it.each([2, 3] as const)("refuses a client that has subscribed, under RESP%i", async (protocol) => {
    const redis = client(server.port, { protocol });
    await redis.subscribe("anything");
    const { code, message } = await failureOf(async () => make(redis));
    expect(code).toBe("invalid_option");
    expect(message).toContain("has subscribed to channels: give one that commands can be sent on");
  });

  it.each(["quit", "disconnect"] as const)("refuses a client that was closed by %s", async (close) => {
    const redis = client(server.port);
    await redis.ping();
    await redis[close]();
    await until(() => redis.status === "end", "it is closed");
    const { code, message } = await failureOf(async () => make(redis));
    expect(code).toBe("invalid_option");
    expect(message).toContain("was closed: give one that commands can be sent on");
  });
});

describe("a client that subscribes only afterwards", () => {
  it("fails every call at once under RESP2, and says why", async () => {
    const redis = client(server.port, { protocol: 2 });
    const { resolver, approver } = sides(redis);
    const grants = new RedisGrantStore(redis, { projectId: "p", timeoutMs: TIMEOUT_MS });
    await redis.subscribe("anything");
    const failures = [
      await failureOf(() => put(resolver)),
      await failureOf(() => approver.answer(ask(), "Approve")),
      await failureOf(() => grants.load()),
    ];
    expect(failures.map(({ code }) => code)).toEqual(["ask_unavailable", "storage", "storage"]);
    for (const { message } of failures) expect(message).toMatch(/subscriber mode/);
  });

  it("goes on under RESP3", async () => {
    const redis = client(server.port, { protocol: 3 });
    const { resolver, approver } = sides(redis);
    await redis.subscribe("anything");
    const answered = put(resolver);
    expect(await approver.answer(await oneListed(approver), "Approve")).toBe("delivered");
    expect(await answered).toMatchObject({ resolution: "Approve" });
  });
});

describe("a client that is closed too early", () => {
  it("fails every call at once, and says why", async () => {
    const redis = client(server.port);
    const { resolver, approver } = sides(redis);
    const [grants, claims] = [
      new RedisGrantStore(redis, { projectId: "p", timeoutMs: TIMEOUT_MS }),
      new RedisClaimStore(redis, { timeoutMs: TIMEOUT_MS }),
    ];
    await redis.ping();
    redis.disconnect();
    const failures = [
      await failureOf(() => put(resolver)),
      await failureOf(() => approver.answer(ask(), "Approve")),
      await failureOf(() => approver.list()),
      await failureOf(() => grants.load()),
      await failureOf(() => claims.claim("k", { ttlMs: 1_000 })),
    ];
    const codes = failures.map(({ code }) => code);
    expect(codes).toEqual(["ask_unavailable", "storage", "storage", "storage", "storage"]);
    for (const { message } of failures) expect(message).toMatch(/Connection is closed/);
  });

  it("ends a wait long before its deadline, and takes nothing for an approval, although one was given to Redis", async () => {
    const redis = client(server.port);
    const { resolver } = sides(redis);
    const { approver } = sides(client(server.port));
    const pending = ask(60_000);
    const failed = failureOf(() => put(resolver, pending));
    const shown = await oneListed(approver);
    redis.disconnect();
    expect(await approver.answer(shown, "Approve")).toBe("delivered");
    expect(await failed).toMatchObject({ code: "ask_unavailable" });
  });
});

describe("a client with lazyConnect", () => {
  it("serves both sides, each in a process that ends by itself", async () => {
    const here = await stage();
    const lazily = { client: { lazyConnect: true } };
    const [worker, approver] = [await here.worker(lazily), await here.approverProcess(lazily)];
    worker.call(["deploy"]);
    const shown = await approver.ask("deploy");
    expect(worker.waiting).toBe(1);
    expect(await approver.answer(shown, "Approve")).toBe("delivered");
    expect(await worker.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    expect(here.runs()).toEqual(["deploy"]);
    await Promise.all([worker.stop(), approver.stop()]);
  }, 60_000);
});

describe.each([
  ["lazyConnect", { lazyConnect: true }],
  ["maxRetriesPerRequest: null", { maxRetriesPerRequest: null }],
])("a worker whose client has %s", (_name, ofClient) => {
  it("refuses in time where nothing listens at Redis's address, and ends by itself", async () => {
    const here = await stage();
    const unheard = { port: await freePort(), client: ofClient, channel: { timeoutMs: TIMEOUT_MS } };
    const worker = await here.worker(unheard);
    worker.call(["deploy"]);
    const { verdict, reason, tookMs } = await worker.ending("deploy");
    expect([verdict, reason]).toEqual(["ask_denied", "approval channel unavailable"]);
    expect(tookMs).toBeLessThan(AT_MOST_MS);
    expect(here.runs()).toEqual([]);
    await worker.stop();
  }, 60_000);

  it("refuses in time where Redis is silent, and works once it speaks again", async () => {
    const here = await stage();
    const worker = await here.worker({ client: ofClient, channel: { timeoutMs: TIMEOUT_MS } });
    const approver = here.approver();
    await here.server.pause();
    worker.call(["deploy"]);
    expect(worker.waiting).toBe(1);
    const { verdict, tookMs } = await worker.ending("deploy");
    expect(verdict).toBe("ask_denied");
    expect(tookMs).toBeLessThan(AT_MOST_MS);
    here.server.resume();
    worker.call(["again"]);
    const shown = await oneListed(approver);
    expect([shown.call_id, await approver.answer(shown, "Approve")]).toEqual(["again", "delivered"]);
    await worker.ending("again");
    expect(here.runs()).toEqual(["again"]);
    await worker.stop();
  }, 60_000);
});

it("a command without that bound has not ended when Redis is silent, or is not there, with maxRetriesPerRequest: null", async () => {
  const servers = [await RedisProcess.start(), await RedisProcess.start()] as const;
  for (const own of servers) onTestFinished(() => own.close());
  const clients = servers.map((own) => client(own.port, { maxRetriesPerRequest: null }));
  await Promise.all(clients.map((redis) => redis.ping()));
  await servers[0].pause();
  await servers[1].kill();
  await Promise.all(
    clients.map((redis) =>
      expect(failureOf(() => redis.get("k"))).rejects.toThrow("neither fulfilled nor rejected"),
    ),
  );
}, 60_000);
