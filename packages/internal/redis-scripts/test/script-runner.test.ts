import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { RedisCluster, RedisProcess, TcpProxy } from "@x/redis-server";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisScript } from "../src/redis-script.js";
import { ScriptRunner } from "../src/script-runner.js";

const increment = redisScript("increment", "return redis.call('INCR', KEYS[1])");

let server: RedisProcess;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

describe("a script", () => {
  it("runs where the server does not know it yet, and after it forgot it", async () => {
    const redis = new Redis(server.port);
    const runner = new ScriptRunner(redis, 5000);
    expect(Number(await runner.run(increment, ["known"], []))).toBe(1);
    await redis.script("FLUSH");
    expect(Number(await runner.run(increment, ["known"], []))).toBe(2);
    redis.disconnect();
  });

  it("asks for the server's clock once, however many begin at the same time", async () => {
    const redis = new Redis(server.port);
    const runner = new ScriptRunner(redis, 5000);
    await runner.run(increment, ["counted"], []);
    await redis.config("RESETSTAT");
    const another = new ScriptRunner(redis, 5000);
    await Promise.all(Array.from({ length: 50 }, () => another.run(increment, ["counted"], [])));
    const [, calls] = /cmdstat_evalsha:calls=(\d+)/.exec(await redis.info("commandstats")) ?? [];
    expect(calls).toBe("51");
    redis.disconnect();
  });

  it("asks for it again where the first question is lost and never answered", async () => {
    const proxy = await TcpProxy.start(server);
    const redis = new Redis(proxy.port, { autoResendUnfulfilledCommands: false });
    redis.on("error", () => {});
    await redis.ping();
    const runner = new ScriptRunner(redis, 200);
    proxy.dropReplies();
    await expect(runner.run(increment, ["asked"], [])).rejects.toThrow("did not answer within 200 ms");
    proxy.cut();
    await new Promise((resolve) => redis.once("ready", resolve));
    expect(Number(await runner.run(increment, ["asked"], []))).toBe(1);
    redis.disconnect();
    await proxy.close();
  });

  it("that waits in the client's queue does not run once its caller was told that it did not", async () => {
    const proxy = await TcpProxy.start(server);
    const redis = new Redis(proxy.port);
    redis.on("error", () => {});
    const runner = new ScriptRunner(redis, 300);
    await runner.run(increment, ["queued"], []);
    proxy.partition();
    await expect(runner.run(increment, ["queued"], [])).rejects.toMatchObject({ code: "storage" });
    proxy.restore();
    await redis.ping();
    expect(await redis.get("queued")).toBe("1");
    redis.disconnect();
    await proxy.close();
  });

  it("is given up in time where the server is stopped, and does not run when it goes on", async () => {
    const stopped = await RedisProcess.start();
    const redis = new Redis(stopped.port);
    const runner = new ScriptRunner(redis, 200);
    await runner.run(increment, ["stopped"], []);
    await stopped.pause();
    await expect(runner.run(increment, ["stopped"], [])).rejects.toThrow("did not answer within 200 ms");
    stopped.resume();
    expect(await redis.get("stopped")).toBe("1");
    redis.disconnect();
    await stopped.close();
  });

  it("is not given up early where the loop was held up since its last turn", async () => {
    const stopped = await RedisProcess.start();
    const redis = new Redis(stopped.port);
    const runner = new ScriptRunner(redis, 200);
    await runner.run(increment, ["early"], []);
    await stopped.pause();
    const heldUpUntil = performance.now() + 100;
    while (performance.now() < heldUpUntil);
    const start = performance.now();
    await expect(runner.run(increment, ["early"], [])).rejects.toThrow("did not answer within 200 ms");
    expect(performance.now() - start).toBeGreaterThanOrEqual(200);
    redis.disconnect();
    await stopped.close();
  });

  it("runs in a Cluster", async () => {
    const cluster = await RedisCluster.start();
    const redis = new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })));
    const runner = new ScriptRunner(redis, 5000);
    for (const key of ["a", "b", "c", "d"]) expect(Number(await runner.run(increment, [key], []))).toBe(1);
    redis.disconnect();
    await cluster.close();
  });
});

describe("the error of a script that did not run", () => {
  it("tells Redis's reason in its message", async () => {
    const admin = new Redis(server.port);
    await admin.acl("SETUSER", "reader", "on", ">hidden", "~*", "&*", "+@all", "-@scripting");
    const redis = new Redis({ port: server.port, username: "reader", password: "hidden" });
    const failure = await failureOf(new ScriptRunner(redis, 5000).run(increment, ["refused"], []));
    expect(failure).toMatchObject({ code: "storage", cause: expect.any(Error) });
    expect(failure.message).toMatch(/^Redis did not run the script [\w-]+: NOPERM .*eval[^.]*\.$/);
    redis.disconnect();
    admin.disconnect();
  });

  it("shows no password, though a server that does not know AUTH repeats it", async () => {
    const refusal = "-ERR unknown command 'AUTH', with args beginning with: 'hidden'\r\n";
    const stranger = createServer((socket) => {
      socket.on("data", (sent) => socket.write(refusal.repeat(String(sent).match(/^\*/gm)?.length ?? 0)));
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { port } = stranger.address() as AddressInfo;
    const redis = new Redis({ port, password: "hidden", retryStrategy: () => null });
    redis.on("error", () => {});
    const failure = await failureOf(new ScriptRunner(redis, 5000).run(increment, ["refused"], []));
    expect(failure.message).toBe("Redis did not run the script increment: ERR unknown command 'AUTH'.");
    expect(inspect(failure, { depth: null })).not.toContain("hidden");
    redis.disconnect();
    stranger.close();
  });
});

function failureOf(running: Promise<unknown>): Promise<Error> {
  return running.then(
    () => new Error("it ran"),
    (error: Error) => error,
  );
}
