import { RedisApprover } from "@x/ask-channel/redis";
import type { Redis } from "ioredis";
import type { Backends } from "../backends.js";

/** What a run has left, by what it is; all numbers are 0 where nothing is. */
export type Leftovers = Record<string, number>;

/** In the channel: asks that wait; over Redis also approvals whose calls never told their end. */
export async function leftInChannel({ asks }: Backends): Promise<Leftovers> {
  const { approver } = asks;
  const waiting = (await approver.list()).length;
  if (!(approver instanceof RedisApprover)) return { "asks waiting": waiting };
  return { "asks waiting": waiting, "claims open": (await approver.openClaims()).length };
}

/** Keys of the run that would stay for ever. The others end by themselves: they tell late answers what became of their asks. */
export async function leftInRedis(redis: Redis, prefix: string): Promise<Leftovers> {
  let lasting = 0;
  for await (const keys of redis.scanStream({ match: `*${prefix}*` })) {
    for (const key of keys as string[]) if ((await redis.pttl(key)) === -1) lasting += 1;
  }
  return { "keys without an end": lasting };
}
