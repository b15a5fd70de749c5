import { ApprovalChannel, firstAnswer, withDeadline } from "@x/ask-channel";
import type { AskResolver, PendingAsk } from "@x/permission-core";
import { freshAsks } from "./fresh-asks.js";
import { measureAsync, showTime } from "./measure.js";
import { heapUsed, showBytes } from "./memory.js";
import type { BenchmarkSection } from "./section.js";

const WAITING = 10_000;

/** What it takes to park an ask in process and to answer it, and what an ask holds while it waits. */
export async function runAskChannelBenchmark(): Promise<BenchmarkSection> {
  const { resolver, approver } = ApprovalChannel.pair(16);
  const composed = withDeadline(firstAnswer([resolver]), 3_600_000);
  const { signal } = new AbortController();
  const context = { signal, isNonInteractive: true };
  const asks = freshAsks();

  const handOver = async () => {
    let give: (answer: string) => void = () => {};
    const answer = new Promise<string>((resolve) => {
      give = resolve;
    });
    give("Approve");
    return answer;
  };
  const through = async (asked: AskResolver) => {
    const ask = asks();
    const answer = asked.resolve(ask, context);
    const shown = await approver.nextPending();
    if (shown === null || (await approver.answer(shown, "Approve")) !== "delivered") {
      throw new Error("An ask was not answered: it did not do the work that is measured");
    }
    const given = await answer;
    await asked.settled?.(ask, "completed");
    return given;
  };
  const times = await measureAsync({
    handOver,
    channel: () => through(resolver),
    composed: () => through(composed),
  });

  const approve = (ask: PendingAsk) => approver.answer(ask, "Approve");
  const channelBytes = await bytesWhileWaiting(resolver, approve, asks);
  const composedBytes = await bytesWhileWaiting(composed, approve, asks);
  await approver.close();
  return {
    title: "Asking in process",
    notes: [
      "Median time to park one ask, read it at the other side, answer it and hear the answer, one after the other; beside it, a bare promise that is made, resolved and awaited.",
      `The composition is \`withDeadline(firstAnswer([resolver]), …)\`. Memory is the growth of the heap while ${WAITING.toLocaleString("en")} asks wait at once, per ask.`,
    ],
    table: {
      columns: ["", "time per ask", "over the promise", "memory of a waiting ask"],
      rows: [
        ["bare promise", showTime(times.handOver), "", ""],
        [
          "`ApprovalChannel`",
          showTime(times.channel),
          showTime(times.channel - times.handOver),
          showBytes(channelBytes),
        ],
        [
          "composed",
          showTime(times.composed),
          showTime(times.composed - times.handOver),
          showBytes(composedBytes),
        ],
      ],
    },
    goals: [],
  };
}

/**
 * Parks, looks, and answers again: the bytes that one waiting ask holds. The asks themselves are made before and not
 * counted. A first pass is thrown away, since it also counts what the engine compiles and keeps.
 */
async function bytesWhileWaiting(
  resolver: AskResolver,
  answer: (ask: PendingAsk) => Promise<unknown>,
  next: () => PendingAsk,
): Promise<number> {
  const context = { signal: new AbortController().signal, isNonInteractive: true };
  let bytes = 0;
  for (let pass = 0; pass < 2; pass++) {
    const asks = Array.from({ length: WAITING }, next);
    const before = heapUsed();
    const answers = asks.map((ask) => resolver.resolve(ask, context));
    bytes = heapUsed() - before;
    for (const ask of asks) await answer(ask);
    await Promise.all(answers);
    for (const ask of asks) await resolver.settled?.(ask, "completed");
  }
  return bytes / WAITING;
}
