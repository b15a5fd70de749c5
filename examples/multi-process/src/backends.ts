import { join } from "node:path";
import { ApprovalChannel } from "@x/ask-channel";
import { RedisApprover, RedisAskResolver, type RedisChannelOptions } from "@x/ask-channel/redis";
import { FileGrantStore } from "@x/grants-file";
import { RedisGrantStore } from "@x/grants-redis";
import type { Approver, AskResolver, GrantStore } from "@x/permission-core";
import type { Redis } from "ioredis";

/** Where workers and approvers meet. Nothing else in this example knows what is behind it. */
export interface Backends {
  /** what was answered for longer */
  grants: GrantStore;
  /** both sides of the channel that asks wait in */
  asks: { resolver: AskResolver & { close(): Promise<void> }; approver: Approver };
}

/** For many processes. */
export function redisBackends(redis: Redis, prefix: string): Backends {
  return {
    grants: new RedisGrantStore(redis, { prefix, projectId: "notes" }),
    asks: redisAsks({ redis, prefix: `${prefix}:asks`, timeoutMs: 2_000 }),
  };
}

/** For one process. The file may be shared by many. */
export function localBackends(folder: string): Backends {
  return {
    grants: new FileGrantStore({ projectDir: folder, rootDir: join(folder, "grants") }),
    asks: ApprovalChannel.pair(16),
  };
}

function redisAsks(options: RedisChannelOptions): { resolver: RedisAskResolver; approver: RedisApprover } {
  return { resolver: new RedisAskResolver(options), approver: new RedisApprover(options) };
}
