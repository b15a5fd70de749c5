import type { RedisProcess } from "@x/redis-server";
import type { Redis } from "ioredis";
import { outcomeOf, pendingAsk, wait } from "../../support/asks.js";
import { type ChannelOptions, channelOn, until } from "./channels.js";

const A = pendingAsk("A");

/** The call of ask `A` that waits, and ways in which `hostile` can write in the place of its answer. */
export async function waitingCall(server: RedisProcess, hostile: Redis, options: ChannelOptions) {
  const channel = channelOn(server, { leaseMs: 1_500, ...options });
  const resolver = channel.resolver();
  const approver = channel.approver();
  let isOver = false;
  const outcome = outcomeOf(resolver.resolve(A, wait().context)).finally(() => {
    isOver = true;
  });
  await until(async () => (await approver.list()).length === 1, "it waits");
  const token = String(await hostile.hget(`${channel.base}ask:A`, "wait"));
  const worker = token.split("/")[0];
  const wake = (message = `!${token}`) => hostile.publish(`${channel.base}worker:${worker}`, message);
  return {
    channel,
    resolver,
    approver,
    outcome,
    wake,
    token,
    isOver: () => isOver,
    plant: async (line: string) => {
      await hostile.set(`${channel.base}answer:A`, line);
      await wake();
    },
  };
}
