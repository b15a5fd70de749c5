import type { Awaitable } from "@x/permission-core";
import type { DefineTest } from "../../describe-vectors.js";
import { requireSame } from "../require-same.js";
import { ANSWERING } from "./ask-answering.js";
import type { AskChannelTests } from "./ask-channel-test.js";
import { CLOSING, CLOSING_DENIES } from "./ask-closing.js";
import { ENDING } from "./ask-ending.js";
import { FAILING_CLOSED } from "./ask-failing-closed.js";
import { leavesNoListeners, leavesNoTimer } from "./ask-leaving-nothing.js";
import { OVERLAPPING } from "./ask-overlapping.js";
import { READING } from "./ask-reading.js";
import { pendingAsks } from "./ask-samples.js";
import { type AskChannel, ChannelBench } from "./channel-bench.js";

export interface AskChannelSuiteOptions<Channel extends AskChannel> {
  it: DefineTest;
  /** A fresh channel on which nothing waits and nothing was answered: once for each test. */
  create(): Awaitable<Channel>;
  /**
   * Lets what is under way between the two sides come nearer: a round trip, or some milliseconds. Called until what a
   * test waits for has happened, at most 1,000 times. Default: one turn of the microtask queue, which is enough where
   * both sides share their memory.
   */
  settle?(): Awaitable<void>;
  /** Default true. False where closing one approver leaves others who may still answer. */
  closeDenies?: boolean;
  /** Closes the asking side. Left out: it cannot be closed. */
  closeResolver?(channel: Channel): Awaitable<void>;
  /** How many listeners for `abort` the signal has. Left out: that none is left is not tested. */
  listenersOf?(signal: AbortSignal): number;
  /** How many timers are set. Left out: that none is left is not tested. */
  liveTimers?(): number;
}

/** Defines the tests that every pair of an `AskResolver` and an `Approver` must pass. No test sleeps or looks at a clock. */
export function askChannelSuite<Channel extends AskChannel>(options: AskChannelSuiteOptions<Channel>): void {
  const { closeDenies = true, closeResolver, listenersOf, liveTimers } = options;
  const define = (title: string, test: (bench: ChannelBench, channel: Channel) => Promise<void>) => {
    options.it(title, async () => {
      const channel = await options.create();
      const bench = new ChannelBench(channel, options.settle ?? (() => {}));
      try {
        await test(bench, channel);
      } finally {
        await bench.tearDown();
      }
    });
  };
  const all: AskChannelTests = {
    ...ANSWERING,
    ...OVERLAPPING,
    ...FAILING_CLOSED,
    ...ENDING,
    ...READING,
    ...CLOSING,
    ...(closeDenies && CLOSING_DENIES),
  };
  for (const [title, test] of Object.entries(all)) define(title, test);

  if (closeResolver !== undefined) {
    define(
      "a closed asking side lets what waits be read and answered, then gives null",
      async (bench, channel) => {
        const waiting = await bench.parkAll(pendingAsks(2));
        await closeResolver(channel);
        for (const { ask } of waiting) requireSame(await bench.next(), ask, "nextPending()");
        requireSame(await bench.next(), null, "nextPending() when all was read");
        for (const { ask } of waiting)
          requireSame(await bench.answer(ask, "Approve"), "delivered", "answer()");
      },
    );
  }
  if (listenersOf !== undefined)
    define("many waits on one signal take few listeners and leave none", (bench) =>
      leavesNoListeners(bench, listenersOf),
    );
  if (liveTimers !== undefined)
    define("a wait that ended leaves no timer", (bench) => leavesNoTimer(bench, liveTimers));
}
