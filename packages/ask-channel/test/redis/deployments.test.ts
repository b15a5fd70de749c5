import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PendingAsk } from "@x/permission-core";
import { freePort, RedisProcess, RedisSentinel } from "@x/redis-server";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, until } from "./support/channels.js";

const A = pendingAsk("A");

/** A client that ends with the test. */
function quiet(redis: Redis): Redis {
  redis.on("error", () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

async function startServer(args: readonly string[]): Promise<RedisProcess> {
  const server = await RedisProcess.start(args);
  onTestFinished(() => server.close());
  return server;
}

describe("on one host", () => {
  it("works over a socket, where both sides listen too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "redis-socket-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "redis.sock");
    const server = await startServer(["--unixsocket", path]);
    const channel = channelOn(server, { leaseMs: 60_000 });
    const resolver = channel.resolver({ redis: quiet(new Redis(path)) });
    const approver = channel.approver({ redis: quiet(new Redis(path)) });
    const reading = approver.nextPending();
    const answer = resolver.resolve(A, wait().context);
    expect(await reading).toEqual(A);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Deny" });
    expect(await subscribersAt(client(server), `laddr=${path}:0 `)).toBe(2);
  });
});

describe("behind Sentinel", () => {
  it("what waits outlives its master, is answered once at the new one, and both sides hear of what comes there", async () => {
    const sentinel = await RedisSentinel.start();
    onTestFinished(() => sentinel.close());
    const { name, host, port } = sentinel;
    const connect = () => quiet(new Redis({ sentinels: [{ host, port }], name }));
    const redis = connect();
    // No lease passes in this test: what is heard is heard by listening.
    const channel = channelOn(sentinel, { leaseMs: 60_000 });
    const resolver = channel.resolver({ redis });
    const [approver, other] = [
      channel.approver({ redis: connect() }),
      channel.approver({ redis: connect() }),
    ];
    const hasty = channel.resolver({ redis, timeoutMs: 300 });
    const put = (ask: PendingAsk, on = resolver) => outcomeOf(on.resolve(ask, wait().context));
    const first = put(A);
    expect(await approver.nextPending()).toEqual(A);
    expect(await redis.wait(1, 5_000)).toBe(1);

    await sentinel.master.kill();
    expect(await put(pendingAsk("in between"), hasty)).toEqual({ code: "ask_unavailable" });
    for (const each of [approver, other])
      await until(async () => (await each.list().catch(() => [])).length === 1, "the new master lists it");
    expect(await approver.list()).toEqual([A]);
    const statuses = await Promise.all([approver.answer(A, "Approve"), other.answer(A, "Deny")]);
    expect(statuses.toSorted()).toEqual(["already_answered", "delivered"]);
    const winner = statuses[0] === "delivered" ? "Approve" : "Deny";
    expect(await first).toEqual({ value: { resolution: winner } });

    const next = pendingAsk("B");
    const second = put(next);
    expect(await approver.nextPending()).toEqual(next);
    expect(await approver.answer(next, "Deny")).toBe("delivered");
    expect(await second).toEqual({ value: { resolution: "Deny" } });
    expect((await approver.openClaims()).map(({ ask }) => ask.id).toSorted()).toEqual(["A", "B"]);
    for (const ask of [A, next]) await resolver.settled(ask, "completed");
    expect(await approver.openClaims()).toEqual([]);
  }, 60_000);
});

describe("over TLS", () => {
  it("works where the server's certificate is known, listening over TLS as well, and fails in time where it is not", async () => {
    const file = (name: string) => new URL(`../fixtures/tls/${name}`, import.meta.url);
    const [cert, key] = [file("cert.pem"), file("key.pem")];
    const port = await freePort();
    const files = ["--tls-cert-file", cert.pathname, "--tls-key-file", key.pathname];
    const trust = ["--tls-ca-cert-file", cert.pathname, "--tls-auth-clients", "no"];
    const server = await startServer(["--tls-port", `${port}`, ...files, ...trust]);
    const channel = channelOn({ port }, { timeoutMs: 2_000, leaseMs: 60_000 });
    const known = { tls: { ca: readFileSync(cert), servername: "localhost" } };
    const resolver = channel.resolver({ redis: client({ port }, known) });
    const approver = channel.approver({ redis: client({ port }, known) });
    const reading = approver.nextPending();
    const answer = resolver.resolve(A, wait().context);
    expect(await reading).toEqual(A);
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Approve" });
    expect(await subscribersAt(client(server), `laddr=127.0.0.1:${port} `)).toBe(2);

    const unknown = { tls: { servername: "localhost" } };
    const distrusting = channel.resolver({ redis: client({ port }, unknown), timeoutMs: 1_500 });
    expect(await outcomeOf(distrusting.resolve(pendingAsk("B"), wait().context))).toEqual({
      code: "ask_unavailable",
    });
    const blind = channel.approver({ redis: client({ port }, unknown), timeoutMs: 1_500 });
    expect(await outcomeOf(blind.list())).toEqual({ code: "storage" });
    expect(await outcomeOf(blind.answer(A, "Deny"))).toEqual({ code: "storage" });
  });
});

/** How many of the connections that listen came in at this address; all of them did. */
async function subscribersAt(redis: Redis, address: string): Promise<number> {
  const lines = ((await redis.client("LIST")) as string)
    .split("\n")
    .filter((line) => / sub=[1-9]/.test(line));
  for (const line of lines) expect(line).toContain(address);
  return lines.length;
}
