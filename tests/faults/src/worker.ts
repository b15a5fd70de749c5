// A process with one gate over a channel in Redis. It makes calls as it is told by messages, and tells how each ended.
import { RedisAskResolver } from "@x/ask-channel/redis";
import { connect } from "./clients.js";
import type { WorkerCommand, WorkerEvent, WorkerOptions } from "./protocol.js";
import { dyingAfterClaim, withSeam } from "./resolvers.js";
import { workerGate } from "./worker-gate.js";

const options: WorkerOptions = JSON.parse(process.argv[2] ?? "{}");
const say = (event: WorkerEvent): void => void process.send?.(event);

const redis = connect(options, () => say({ event: "reconnecting" }));
const channel = new RedisAskResolver({
  redis,
  prefix: options.prefix,
  ...options.channel,
  onReport: ({ level, message }) => say({ event: "report", level, message }),
});
const seamed = withSeam(channel, options.seam, redis, options.prefix);
const resolver = options.dies === "after-claim" ? dyingAfterClaim(seamed) : seamed;
const gate = workerGate(options, resolver, (ending) => say({ event: "ended", ...ending }));

/** Whoever started it has gone. */
const onOrphaned = (): void => process.exit();

/** Leaves nothing that would keep the process: it ends by itself. */
async function stop(): Promise<void> {
  await gate.close();
  await channel.close();
  redis.disconnect();
  process.removeListener("disconnect", onOrphaned);
  process.disconnect();
}

process.once("disconnect", onOrphaned);
process.on("message", (command: WorkerCommand) => {
  switch (command.do) {
    case "call":
      return gate.call(command.callIds, command.askTimeoutMs);
    case "cancel":
      return gate.cancel(command.callId);
    case "finish":
      return gate.finish();
    case "stop":
      return void stop();
  }
});
say({ event: "ready" });
