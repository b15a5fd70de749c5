import { type AskResolver, PermissionGateError } from "@x/permission-core";
import type { Redis } from "ioredis";

/**
 * What may stand between a process and the channel, each a mistake that the channel itself does not make:
 *
 * - `impatient`: takes silence of Redis for the end of a wait
 * - `open`: takes it for an approval
 * - `trusting`: takes the message that an answer is there for the answer
 * - `yielding`: takes every failure for an approval
 * - `listens-once`: hears only the first time that its connection is ready
 * - `gives-up`: tries three times to make its connection again
 */
export type Seam = "impatient" | "open" | "trusting" | "yielding" | "listens-once" | "gives-up";

const PING_EVERY_MS = 200;
const SILENT_AFTER_MS = 1_000;

/** The resolver with the mistake. The last two are of the client, so they change nothing here. */
export function withSeam(
  inner: AskResolver,
  seam: Seam | undefined,
  redis: Redis,
  prefix: string,
): AskResolver {
  switch (seam) {
    case "impatient":
      return listeningToSilence(inner, redis, () => {
        throw new PermissionGateError("ask_unavailable", "Redis is silent");
      });
    case "open":
      return listeningToSilence(inner, redis, () => "Approve" as const);
    case "trusting":
      return trusting(inner, redis, prefix);
    case "yielding":
      return {
        ...base(inner),
        resolve: async (pending, context) => {
          try {
            return await inner.resolve(pending, context);
          } catch {
            return "Approve";
          }
        },
      };
    default:
      return inner;
  }
}

/** Dies by SIGKILL once an answer was taken, before its call runs. */
export function dyingAfterClaim(inner: AskResolver): AskResolver {
  return {
    ...base(inner),
    resolve: async (pending, context) => {
      const answer = await inner.resolve(pending, context);
      process.kill(process.pid, "SIGKILL");
      return answer;
    },
  };
}

function base(inner: AskResolver): Pick<AskResolver, "interactive" | "settled"> {
  return { interactive: false, settled: (pending, outcome) => inner.settled?.(pending, outcome) };
}

function listeningToSilence(inner: AskResolver, redis: Redis, onSilence: () => "Approve"): AskResolver {
  return {
    ...base(inner),
    resolve: (pending, context) =>
      Promise.race([inner.resolve(pending, context), silence(redis, context.signal).then(onSilence)]),
  };
}

/** Fulfils once Redis has said nothing for a second. */
async function silence(redis: Redis, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answers = redis.ping().then(
      () => true,
      () => false,
    );
    const isSilent = new Promise<false>((resolve) => setTimeout(() => resolve(false), SILENT_AFTER_MS));
    if (!(await Promise.race([answers, isSilent]))) return;
    await new Promise((resolve) => setTimeout(resolve, PING_EVERY_MS));
  }
  await new Promise<never>(() => {});
}

function trusting(inner: AskResolver, redis: Redis, prefix: string): AskResolver {
  const listening = redis.duplicate();
  listening.on("error", () => {});
  const told: (() => void)[] = [];
  void listening.psubscribe(`{${prefix}}:worker:*`);
  listening.on("pmessage", (_pattern: string, _channel: string, message: string) => {
    if (message.startsWith("!")) for (const approve of told.splice(0)) approve();
  });
  return {
    ...base(inner),
    resolve: (pending, context) =>
      Promise.race([
        inner.resolve(pending, context),
        new Promise<"Approve">((resolve) => told.push(() => resolve("Approve"))),
      ]),
  };
}
