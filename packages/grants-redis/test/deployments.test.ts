import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, RedisProcess, RedisSentinel } from "@x/redis-server";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { RedisClaimStore, RedisGrantStore } from "../src/index.js";
import { clientOf } from "./support/clients.js";
import { narrow, query, wide } from "./support/grants.js";

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("with Sentinel", () => {
  it("grants and claims outlive their master, and a revoke at the new one is seen", async () => {
    const sentinel = await RedisSentinel.start();
    onTestFinished(() => sentinel.close());
    const { name, host, port } = sentinel;
    const redis = new Redis({ sentinels: [{ host, port }], name });
    redis.on("error", () => {});
    onTestFinished(() => redis.disconnect());

    const store = new RedisGrantStore(redis, { projectId: "p" });
    const hasty = new RedisGrantStore(redis, { projectId: "p", timeoutMs: 300 });
    const claims = new RedisClaimStore(redis);
    for (const grant of [wide, narrow]) await store.save(grant);
    expect(await claims.claim("k", { ttlMs: 3_600_000 })).toBe(true);
    expect(await redis.wait(1, 5_000)).toBe(1);
    await sentinel.master.kill();
    await expect(hasty.find(query("read"))).rejects.toMatchObject({ code: "storage" });
    await until(async () => (await store.find(query("read", { path: "/etc" }))).length === 2);
    expect(await claims.claim("k", { ttlMs: 3_600_000 })).toBe(false);
    expect(await store.revoke(wide.id)).toEqual(wide);
    expect(await store.load()).toEqual([narrow]);
  }, 40_000);
});

describe("with TLS", () => {
  it("works where the server's certificate is known, also to keep what was found, and fails in time where it is not", async () => {
    const folder = mkdtempSync(join(tmpdir(), "redis-tls-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
    const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    execFileSync("/usr/bin/openssl", [...request, ...names, "-keyout", key, "-out", cert], {
      stdio: "ignore",
    });
    const port = await freePort();
    const files = ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert];
    const server = await RedisProcess.start(["--tls-port", `${port}`, "--tls-auth-clients", "no", ...files]);
    onTestFinished(() => server.close());

    const options = { projectId: "p", cacheMs: 60_000 };
    const store = new RedisGrantStore(clientOf({ port }, { tls: { ca: readFileSync(cert) } }), options);
    await store.save(wide);
    const clear = clientOf(server);
    await until(async () => (await clear.pubsub("CHANNELS")).length === 1);
    expect(await store.find(query("read"))).toEqual([wide]);
    await new RedisGrantStore(clear, { projectId: "p" }).revoke(wide.id);
    await until(async () => (await store.find(query("read"))).length === 0);
    await store.close();

    const distrusting = new RedisGrantStore(clientOf({ port }, { tls: {} }), {
      projectId: "p",
      timeoutMs: 300,
    });
    await expect(distrusting.load()).rejects.toMatchObject({ code: "storage" });
  });
});
