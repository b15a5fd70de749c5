import { type AskAnswer, isPermissionGateError } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import type { AskChannelTests } from "./ask-channel-test.js";
import { pendingAsk } from "./ask-samples.js";
import type { ChannelBench, WaitOutcome } from "./channel-bench.js";

const A = pendingAsk("A");

const NO_ANSWERS: readonly unknown[] = [
  true,
  1,
  "",
  "approve",
  "Approved",
  null,
  undefined,
  {},
  [],
  ["Approve"],
  { resolution: true },
  { resolution: "approve" },
  { approve: true },
  { resolution: "Approve", remember: "always" },
  { resolution: "Approve", remember: "this_call", modified_input: 1 },
  { resolution: "Deny", modified_input: 1 },
  { resolution: "Deny", remember: "session" },
  { resolution: "Approve", remember_until_ms: -1 },
];

/** What is no answer never approves, by either way of answering. */
export const FAILING_CLOSED: AskChannelTests = {
  "what is no answer is refused with bad_record and ends nothing, or denies": async (bench) => {
    for (const [index, value] of NO_ANSWERS.entries()) {
      await requireNoApproval(bench, index, value, (ask, answer) => bench.answer(ask, answer));
    }
  },

  "what is no answer does not approve by id either": async (bench) => {
    for (const [index, value] of NO_ANSWERS.entries()) {
      await requireNoApproval(bench, index, value, async ({ id }, answer) =>
        (await bench.resolve(id, answer)) ? "delivered" : "refused",
      );
    }
  },

  "an ask that was answered by nobody is not approved": async (bench) => {
    const waiting = await bench.park(A);
    await bench.next();
    for (let turn = 0; turn < 10; turn += 1) await bench.turn();
    requireSame(waiting.isOver(), false, "whether the wait is over");
    requireSame(await bench.list(), [A], "list()");
  },
};

async function requireNoApproval(
  bench: ChannelBench,
  index: number,
  value: unknown,
  give: (ask: typeof A, answer: AskAnswer) => Promise<string>,
): Promise<void> {
  const waiting = await bench.park(pendingAsk(`ask-${index}`));
  const what = JSON.stringify(value) ?? "undefined";
  let isDelivered = false;
  try {
    isDelivered = (await give(waiting.ask, value as AskAnswer)) === "delivered";
  } catch (error) {
    if (!isPermissionGateError(error, "bad_record")) throw error;
  }
  if (!isDelivered) {
    requireSame(await bench.isListed(waiting.ask), true, `whether the ask waits still after ${what}`);
    requireSame(await bench.answer(waiting.ask, "Deny"), "delivered", `answer() after ${what}`);
  }
  requireDenied(await bench.outcomeOf(waiting), `what the call got after ${what}`);
}

/** Anything but an approval. */
export function requireDenied(outcome: WaitOutcome, what: string): void {
  if ("answer" in outcome) requireSame(outcome.answer.resolution, "Deny", what);
}
