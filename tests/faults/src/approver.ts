// A process with one approver over a channel in Redis. It answers by itself at random, or as it is told by messages.
import { RedisApprover } from "@x/ask-channel/redis";
import { connect } from "./clients.js";
import type { ApproverCommand, ApproverEvent, ApproverOptions } from "./protocol.js";
import { give, RacingApprover } from "./racing.js";

const options: ApproverOptions = JSON.parse(process.argv[2] ?? "{}");
const { name, prefix, seed } = options;
const say = (event: ApproverEvent): void => void process.send?.(event);

const redis = connect(options);
const approver = new RedisApprover({ redis, prefix, ...options.channel, onReport: () => {} });
const racing = seed === null ? null : new RacingApprover(approver, name, seed);

async function showAll(): Promise<void> {
  for await (const ask of approver) say({ event: "shown", ask });
}

/** Whoever started it has gone. */
const onOrphaned = (): void => process.exit();

/** Leaves nothing that would keep the process: it ends by itself. */
async function stop(): Promise<void> {
  const given = (await racing?.allGiven()) ?? [];
  await approver.close();
  redis.disconnect();
  process.removeListener("disconnect", onOrphaned);
  process.send?.({ event: "all-given", given } satisfies ApproverEvent, () => process.disconnect());
}

async function answer(command: Extract<ApproverCommand, { do: "answer" }>): Promise<void> {
  const { ask, resolution, answerId } = command;
  const how = answerId === undefined ? { resolution } : { resolution, answerId };
  say({ event: "given", ...(await give(approver, name, ask, how)) });
}

process.once("disconnect", onOrphaned);
process.on("message", (command: ApproverCommand) => void (command.do === "stop" ? stop() : answer(command)));
void (racing?.run() ?? showAll());
say({ event: "ready" });
