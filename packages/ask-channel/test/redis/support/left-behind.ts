import type { PendingAsk } from "@x/permission-core";
import { outcomeOf, pendingAsk, wait } from "../../support/asks.js";
import { type channelOn, client, until } from "./channels.js";

/** Two asks about one call: what a restarted process puts has an id of its own. */
export const call = (id: string, fields: Partial<PendingAsk> = {}) =>
  pendingAsk(id, {
    call_id: "one call",
    args_digest: "87005d148c61a85e",
    descriptor_digest: "d1",
    ...fields,
  });
export const LEFT = call("left");
export const AGAIN = call("again");
export const YES = { resolution: "Approve", decided_by: "ana" } as const;

export const SHORT = { leaseMs: 1_000 };

/** A worker that dies while its ask waits: nothing of it comes to Redis any more. */
export async function workerThatDies(
  server: { port: number },
  channel: ReturnType<typeof channelOn>,
  ask: PendingAsk,
) {
  const redis = client(server);
  const resolver = channel.resolver({ ...SHORT, redis });
  void outcomeOf(resolver.resolve(ask, wait().context));
  const approver = channel.approver();
  await until(async () => (await approver.list()).some(({ id }) => id === ask.id), "its ask is listed");
  redis.disconnect();
  return approver;
}
