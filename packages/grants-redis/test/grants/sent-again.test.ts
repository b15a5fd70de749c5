import type { Redis } from "ioredis";
import { beforeEach, describe, expect, it } from "vitest";
import { RedisGrantStore } from "../../src/index.js";
import { clientOf } from "../support/clients.js";
import { narrow, other, wide } from "../support/grants.js";
import { serverBehindProxy } from "../support/servers.js";

const { server, proxy } = await serverBehindProxy();

let projects = 0;
let projectId = "";
beforeEach(() => {
  projects += 1;
  projectId = `project ${projects}`;
});

/** A store whose replies can be lost, and one beside it. */
async function stores() {
  const client = clientOf(proxy);
  const lossy = new RedisGrantStore(client, { projectId, timeoutMs: 10_000 });
  const beside = new RedisGrantStore(clientOf(server), { projectId });
  // The server knows every script from here on: a reply that it does not would be lost before it has run.
  await lossy.save(wide);
  await lossy.revoke(wide.id);
  await lossy.clear();
  return { client, lossy, beside };
}

/** Starts `run`, and resolves once the server has run it; the reply to its first script is lost, or to that of the number given. */
async function replyLost<Result>(
  client: Redis,
  run: () => Promise<Result>,
  hasRun: () => Promise<boolean>,
  { lostAt = 1 } = {},
) {
  let sent = 0;
  const evalsha = client.evalsha.bind(client);
  client.evalsha = ((...given: Parameters<typeof evalsha>) => {
    sent += 1;
    if (sent === lostAt) proxy.dropReplies();
    return evalsha(...given);
  }) as typeof client.evalsha;
  const result = run();
  while (!(await hasRun())) await new Promise((resolve) => setTimeout(resolve, 2));
  return { result };
}

describe("an operation whose reply was lost, and that the client sends again", () => {
  it("saves once: what was revoked meanwhile stays revoked", async () => {
    const { client, lossy, beside } = await stores();
    const lost = await replyLost(
      client,
      () => lossy.save(wide),
      async () => (await beside.load()).length > 0,
    );
    expect(await beside.revoke(wide.id)).toEqual(wide);
    proxy.cut();
    expect(await lost.result).toEqual(wide);
    expect(await beside.load()).toEqual([]);
  });

  it("saves once: what replaced it meanwhile stays", async () => {
    const { client, lossy, beside } = await stores();
    const lost = await replyLost(
      client,
      () => lossy.save({ ...wide, note: "first" }),
      async () => (await beside.load()).length > 0,
    );
    await beside.save({ ...wide, note: "second" });
    proxy.cut();
    await lost.result;
    expect(await beside.load()).toEqual([{ ...wide, note: "second" }]);
  });

  it("revokes once, and still gives the grant that it removed", async () => {
    const { client, lossy, beside } = await stores();
    for (const grant of [wide, narrow]) await beside.save(grant);
    const lost = await replyLost(
      client,
      () => lossy.revoke(wide.id),
      async () => (await beside.load()).length === 1,
      // The first one reads what is to be judged.
      { lostAt: 2 },
    );
    await beside.save(wide);
    proxy.cut();
    expect(await lost.result).toEqual(wide);
    expect(await beside.load()).toEqual([narrow, wide]);
  });

  it("clears once, and still gives the number", async () => {
    const { client, lossy, beside } = await stores();
    for (const grant of [wide, narrow]) await beside.save(grant);
    const lost = await replyLost(
      client,
      () => lossy.clear(),
      async () => (await beside.load()).length === 0,
      { lostAt: 2 },
    );
    await beside.save(other);
    proxy.cut();
    expect(await lost.result).toBe(2);
    expect(await beside.load()).toEqual([other]);
  });

  it("happens twice where nothing tells that it is the same: so does a bare command", async () => {
    const lossy = clientOf(proxy);
    const beside = clientOf(server);
    await lossy.ping();
    proxy.dropReplies();
    const lost = await replyLost(
      lossy,
      () => lossy.hset("bare", "grant", "saved"),
      async () => (await beside.exists("bare")) === 1,
    );
    await beside.hdel("bare", "grant");
    proxy.cut();
    await lost.result;
    expect(await beside.hget("bare", "grant")).toBe("saved");
  });

  it("leaves nothing behind but the ledger, seconds later", async () => {
    const redis = clientOf(server);
    const store = new RedisGrantStore(redis, { projectId, timeoutMs: 500 });
    for (const grant of [wide, narrow]) await store.save(grant);
    await store.revoke(wide.id);
    const left = async () => (await redis.keys(`*{${encodeURIComponent(projectId)}}*`)).length;
    expect(await left()).toBe(4);
    while ((await left()) > 1) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await store.load()).toEqual([narrow]);
  });
});
