import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RedisApprover, type RedisChannelOptions } from "@x/ask-channel/redis";
import type { PendingAsk } from "@x/permission-core";
import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import type { ApproverOptions, WorkerOptions } from "../../src/protocol.js";
import { ApproverProcess } from "./approver-process.js";
import { until } from "./until.js";
import { Worker } from "./worker.js";

/** A server of its own, a file of runs, and those who meet there. All of it ends with the test. */
export interface Stage {
  readonly server: RedisProcess;
  /** the names of the calls that ran, a line for each run */
  runs(): string[];
  worker(options?: Partial<WorkerOptions>): Promise<Worker>;
  approverProcess(options?: Partial<ApproverOptions>): Promise<ApproverProcess>;
  /** in the process of the test */
  approver(options?: Partial<RedisChannelOptions>): RedisApprover;
  client(port?: number): Redis;
  /** Fulfils once so many workers listen for answers. */
  listening(workers: number): Promise<void>;
}

const PREFIX = "faults";

export async function stage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "faults-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await RedisProcess.start();
  onTestFinished(() => server.close());
  const runsFile = join(folder, "runs");
  writeFileSync(runsFile, "");
  const { port } = server;

  const client = (ofPort = port): Redis => {
    const redis = new Redis({ host: "127.0.0.1", port: ofPort });
    redis.on("error", () => {});
    onTestFinished(() => redis.disconnect());
    return redis;
  };
  return {
    server,
    runs: () => readFileSync(runsFile, "utf8").split("\n").filter(Boolean),
    worker: (options = {}) =>
      Worker.start({ port, prefix: PREFIX, sessionId: "session", runId: "run", runsFile, ...options }),
    approverProcess: (options = {}) =>
      ApproverProcess.start({ port, prefix: PREFIX, name: "Ann", seed: null, ...options }),
    approver(options = {}) {
      const approver = new RedisApprover({ redis: client(), prefix: PREFIX, onReport: () => {}, ...options });
      onTestFinished(() => approver.close());
      return approver;
    },
    client,
    async listening(workers) {
      const redis = client();
      const isHeard = async () => {
        const channels = (await redis.pubsub("CHANNELS", `{${PREFIX}}:worker:*`)) as string[];
        return channels.length === workers;
      };
      await until(isHeard, `${workers} workers listen`);
    },
  };
}

/** The asks that wait, once there are so many. */
export async function listed(approver: RedisApprover, count: number): Promise<PendingAsk[]> {
  let asks: PendingAsk[] = [];
  await until(async () => {
    asks = await approver.list();
    return asks.length === count;
  }, `${count} asks wait`);
  return asks;
}

/** The one ask that waits, once it does. */
export async function oneListed(approver: RedisApprover): Promise<PendingAsk> {
  const [ask] = await listed(approver, 1);
  if (ask === undefined) throw new Error("there is one");
  return ask;
}

/** So many names of calls, such as `a-0`. */
export function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** How often each text occurs. */
export function tally(texts: readonly (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[String(text)] = (counts[String(text)] ?? 0) + 1;
  return counts;
}
