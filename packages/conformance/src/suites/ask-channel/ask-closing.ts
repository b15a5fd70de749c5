import { requireSame } from "../require-same.js";
import type { AskChannelTests } from "./ask-channel-test.js";
import { requireDenied } from "./ask-failing-closed.js";
import { pendingAsk, pendingAsks } from "./ask-samples.js";

const A = pendingAsk("A");
const DENIED = { answer: { resolution: "Deny" } };

/** An approver that is gone approves nothing, whatever else it means. */
export const CLOSING: AskChannelTests = {
  "a reader that waits while the approver closes gets null, and so does every later one": async (bench) => {
    const readers = [bench.approver.nextPending(), bench.approver.nextPending()];
    await bench.approver.close();
    const given = await Promise.all(
      readers.map((reader) => bench.ended(reader, "a reader hears of the close")),
    );
    requireSame(given, [null, null], "what the readers got");
    requireSame(await bench.next(), null, "nextPending() after the close");
    for await (const ask of bench.approver) throw new Error(`a closed approver gave ask ${ask.id}`);
  },

  "an answer given after the approver was closed does not approve": async (bench) => {
    const waiting = await bench.park(A);
    await bench.approver.close();
    const status = await bench.answer(A, "Approve").catch(() => "refused");
    requireSame(status === "delivered", false, "whether the answer was delivered");
    waiting.end("ask_cancelled");
    requireDenied(await bench.outcomeOf(waiting), "what the call got");
  },

  "the approver may be closed twice, and by await using": async (bench) => {
    await bench.approver.close();
    await bench.approver.close();
    await bench.approver[Symbol.asyncDispose]();
    requireSame(await bench.next(), null, "nextPending()");
  },
};

/** Where closing the approver means that nobody will answer. */
export const CLOSING_DENIES: AskChannelTests = {
  "closing the approver denies all that wait, read or not": async (bench) => {
    const waiting = await bench.parkAll(pendingAsks(5));
    await bench.next();
    await bench.approver.close();
    for (const each of waiting) requireSame(await bench.outcomeOf(each), DENIED, "what a call got");
    for (const { ask } of waiting) {
      const status = await bench.answer(ask, "Approve").catch(() => "refused");
      requireSame(status === "delivered", false, "whether a late answer was delivered");
    }
  },

  "a closed approver denies all that come": async (bench) => {
    await bench.approver[Symbol.asyncDispose]();
    for (const ask of pendingAsks(3))
      requireSame(await bench.outcomeOf(bench.put(ask)), DENIED, "what a call got");
  },
};
