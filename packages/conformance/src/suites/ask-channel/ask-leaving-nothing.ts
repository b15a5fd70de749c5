import { pendingAsk, pendingAsks } from "./ask-samples.js";
import type { ChannelBench } from "./channel-bench.js";

const FAR_OFF_MS = 4_102_444_800_000;
/** More listeners on one signal make a host warn of a leak. */
const FEW = 10;

/** Many waits on one signal take few listeners, and leave none when they end: `listenersOf` counts those on a signal. */
export async function leavesNoListeners(
  bench: ChannelBench,
  listenersOf: (signal: AbortSignal) => number,
): Promise<void> {
  const shared = new AbortController();
  const free = (signal: AbortSignal, what: string) =>
    bench.until(() => listenersOf(signal) === 0, `no listener is left on the signal of ${what}`);

  for (const ask of pendingAsks(5).map(({ id }) => pendingAsk(`before-${id}`))) {
    const waiting = await bench.park(ask, shared);
    await bench.answer(ask, "Approve");
    await bench.outcomeOf(waiting);
  }
  await free(shared.signal, "five asks that were answered one after the other");

  const overlapping = await Promise.all(pendingAsks(20).map((ask) => bench.park(ask, shared)));
  const most = listenersOf(shared.signal);
  if (most > FEW)
    throw new Error(`${most} listeners while 20 asks wait on one signal: hosts warn beyond ${FEW}`);
  for (const { ask } of overlapping) await bench.answer(ask, "Deny");
  for (const waiting of overlapping) await bench.outcomeOf(waiting);
  await free(shared.signal, "twenty asks that waited at once");

  const cancelled = new AbortController();
  const waiting = await bench.park(pendingAsk("cancelled"), cancelled);
  waiting.end("ask_cancelled");
  await bench.outcomeOf(waiting);
  await free(cancelled.signal, "a cancelled ask");

  const reading = new AbortController();
  const reader = bench.approver.nextPending({ signal: reading.signal });
  await bench.park(pendingAsk("read"));
  await bench.ended(reader, "the reader gets an ask");
  await free(reading.signal, "a reader that was served");
}

/** A wait that ended leaves no timer, whatever deadline the ask names: `liveTimers` counts those that are set. */
export async function leavesNoTimer(bench: ChannelBench, liveTimers: () => number): Promise<void> {
  const before = liveTimers();
  const [answered, cancelled] = [
    await bench.park(pendingAsk("answered", { expires_at_ms: FAR_OFF_MS })),
    await bench.park(pendingAsk("cancelled", { expires_at_ms: FAR_OFF_MS })),
  ];
  await bench.answer(answered.ask, "Approve");
  cancelled.end("ask_cancelled");
  for (const waiting of [answered, cancelled]) await bench.outcomeOf(waiting);
  await bench.gone(cancelled.ask);
  await bench.until(() => liveTimers() <= before, "no timer is left once no call waits");
}
