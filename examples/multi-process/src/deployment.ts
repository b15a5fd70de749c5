import { randomUUID } from "node:crypto";
import { type Backends, localBackends, redisBackends } from "./backends.js";
import { openRedis } from "./redis-for-run.js";
import { type Leftovers, leftInChannel, leftInRedis } from "./report/leftovers.js";
import { startLocally } from "./team/local-member.js";
import type { StartMember } from "./team/member.js";
import { startProcess } from "./team/process-member.js";

/** Where a run takes place. */
export interface Deployment extends AsyncDisposable {
  title: string;
  /** the run's own, before all its keys */
  prefix: string;
  redisUrl: string | null;
  /** as seen from here */
  backends: Backends;
  start: StartMember;
  /** what is left once everybody has ended and nothing is remembered any more */
  left(): Promise<Leftovers>;
}

/** Each role in a process of its own, all on one Redis. Throws `NoRedis`. */
export async function inProcesses(): Promise<Deployment> {
  const { url, redis, title, close } = await openRedis(process.env["REDIS_URL"]);
  const prefix = `multi-process:${randomUUID()}`;
  const backends = redisBackends(redis, prefix);
  return {
    title: `a process for each, and Redis: ${title}`,
    prefix,
    redisUrl: url,
    backends,
    start: startProcess,
    left: async () => ({ ...(await leftInChannel(backends)), ...(await leftInRedis(redis, prefix)) }),
    async [Symbol.asyncDispose]() {
      await backends.asks.approver.close();
      await close();
    },
  };
}

/** Everybody in this process: grants in a file in `folder`, asks in memory. */
export function inThisProcess(folder: string): Deployment {
  const backends = localBackends(folder);
  return {
    title: "one process, a file for grants, and asks in memory",
    prefix: "",
    redisUrl: null,
    backends,
    start: startLocally(backends),
    left: () => leftInChannel(backends),
    [Symbol.asyncDispose]: () => backends.asks.approver.close(),
  };
}
