import { randomUUID } from "node:crypto";
import { RedisApprover, RedisAskResolver } from "@x/ask-channel/redis";
import { RedisClaimStore, RedisGrantStore, RedisPermissionStore } from "@x/grants-redis";
import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { unchecked } from "../src/unchecked.js";
import { failureOf } from "./support/failure.js";
import { until } from "./support/until.js";

const TIMEOUT_MS = 1_000;

let server: RedisProcess;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

function client(protocol: 2 | 3 = 3): Redis {
  const redis = new Redis({ host: "127.0.0.1", port: server.port, protocol, replyMapping: "legacy" });
  redis.on("error", () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

async function subscribed(): Promise<Redis> {
  const redis = client(2);
  await redis.subscribe("anything");
  return redis;
}

async function closed(): Promise<Redis> {
  const redis = client();
  await redis.quit();
  await until(() => redis.status === "end", "it is closed");
  return redis;
}

function resolverOf(redis: Redis): RedisAskResolver {
  const resolver = new RedisAskResolver({ redis, timeoutMs: TIMEOUT_MS, onReport: () => {} });
  onTestFinished(() => resolver.close());
  return resolver;
}

function approverOf(redis: Redis): RedisApprover {
  const approver = new RedisApprover({ redis, timeoutMs: TIMEOUT_MS, onReport: () => {} });
  onTestFinished(() => approver.close());
  return approver;
}

function put(resolver: RedisAskResolver) {
  const call = { turn: 0, call_id: randomUUID(), tool: "deploy", args_digest: "digest" };
  const ask = { id: randomUUID(), session_id: "session", run_id: "run", ...call, prompt: "Deploy?" };
  return resolver.resolve(ask, { signal: new AbortController().signal });
}

/** What is made of a client, and the first thing that a host does with it. */
const makers: [string, string, (redis: Redis) => () => PromiseLike<unknown>][] = [
  [
    "RedisAskResolver",
    "ask_unavailable",
    (redis) => {
      const resolver = resolverOf(redis);
      return () => put(resolver);
    },
  ],
  [
    "RedisApprover",
    "storage",
    (redis) => {
      const approver = approverOf(redis);
      return () => approver.list();
    },
  ],
  [
    "RedisGrantStore",
    "storage",
    (redis) => {
      const store = new RedisGrantStore(redis, { projectId: "p", timeoutMs: TIMEOUT_MS });
      return () => store.load();
    },
  ],
  [
    "RedisClaimStore",
    "storage",
    (redis) => {
      const store = new RedisClaimStore(redis, { timeoutMs: TIMEOUT_MS });
      return () => store.claim("k", { ttlMs: 1_000 });
    },
  ],
  [
    "RedisPermissionStore",
    "storage",
    (redis) => {
      const store = new RedisPermissionStore(redis, { timeoutMs: TIMEOUT_MS });
      return () => store.rules("session");
    },
  ],
];

describe.each(makers)("%s without its look at the client", (_name, code, make) => {
  it.each([
    ["has subscribed", subscribed, /subscriber mode/],
    ["was closed", closed, /Connection is closed/],
  ] as const)("is made of one that %s, and the first call is what fails", async (_state, clientOf, why) => {
    const redis = await clientOf();
    expect(() => make(redis)).toThrow(expect.objectContaining({ code: "invalid_option" }));
    const failure = await failureOf(unchecked(redis, make));
    expect(failure).toMatchObject({ code, message: expect.stringMatching(why) });
  });
});

it("a reader without that look waits and waits at a client that has subscribed, while others see an ask", async () => {
  const blind = unchecked(await subscribed(), approverOf);
  const failed = failureOf(() => blind.nextPending());
  const waiting = failureOf(() => put(resolverOf(client())));
  const seeing = approverOf(client());
  expect(await seeing.nextPending()).toMatchObject({ tool: "deploy" });
  const never = "neither fulfilled nor rejected";
  await Promise.all([failed, waiting].map((each) => expect(each).rejects.toThrow(never)));
}, 60_000);
