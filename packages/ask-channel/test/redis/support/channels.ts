import type { ReportEvent } from "@x/permission-core";
import { RedisProcess } from "@x/redis-server";
import { Redis, type RedisOptions } from "ioredis";
import { afterAll, onTestFinished } from "vitest";
import { RedisApprover, RedisAskResolver, type RedisChannelOptions } from "../../../src/redis/index.js";

/** What a test may want of its client. */
export type ClientOptions = RedisOptions & { replyMapping?: "legacy" };

let count = 0;

/** A prefix that nothing else in this server has. */
export function freshPrefix(): string {
  count += 1;
  return `test-${process.pid}-${count}`;
}

/** A server for all tests of the file, which ends with them. */
export async function serverOfFile(): Promise<RedisProcess> {
  const server = await RedisProcess.start();
  afterAll(() => server.close());
  return server;
}

/** A client for all tests of the file, which ends with them. Its errors are the tests' to provoke. */
export function clientOfFile(server: { port: number }): Redis {
  const redis = quietClient(server, {});
  afterAll(() => redis.disconnect());
  return redis;
}

/** A server that ends with the test. */
export async function ownServer(args?: readonly string[]): Promise<RedisProcess> {
  const server = await RedisProcess.start(args);
  onTestFinished(() => server.close());
  return server;
}

/** A client that ends with the test. Its errors are the test's to provoke. */
export function client(server: { port: number }, options: ClientOptions = {}): Redis {
  const redis = quietClient(server, options);
  onTestFinished(() => redis.disconnect());
  return redis;
}

export type ChannelOptions = Omit<RedisChannelOptions, "redis"> & { redis?: RedisChannelOptions["redis"] };

/** Sides of one channel, each on a client of its own unless told otherwise, closed with the test. */
export function channelOn(server: RedisProcess | { port: number }, shared: ChannelOptions = {}) {
  const reports: ReportEvent[] = [];
  const prefix = freshPrefix();
  const options = (own: ChannelOptions): RedisChannelOptions => ({
    prefix,
    onReport: (event) => void reports.push(event),
    ...shared,
    ...own,
    redis: own.redis ?? shared.redis ?? client(server),
  });
  return {
    reports,
    prefix,
    base: `{${shared.prefix ?? prefix}}:`,
    resolver(own: ChannelOptions = {}): RedisAskResolver {
      const resolver = new RedisAskResolver(options(own));
      onTestFinished(() => resolver.close());
      return resolver;
    },
    approver(own: ChannelOptions = {}): RedisApprover {
      const approver = new RedisApprover(options(own));
      onTestFinished(() => approver.close());
      return approver;
    },
  };
}

/** Waits until it holds, for at most `ms`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  ms = 15_000,
): Promise<void> {
  const end = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`this did not happen within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What asks say of the server on which they were last seen without an answer. */
export async function serverName(redis: Redis): Promise<string> {
  const [, run] = /run_id:(\w+)/.exec(await redis.info("server")) ?? [];
  const [, history] = /master_replid:(\w+)/.exec(await redis.info("replication")) ?? [];
  return `${run}${history}`;
}

function quietClient({ port }: { port: number }, options: ClientOptions): Redis {
  const redis = new Redis({ port, ...options });
  redis.on("error", () => {});
  return redis;
}
