import type { AskAnswer, PendingAsk } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import type { AskChannelTests } from "./ask-channel-test.js";
import { pendingAsk, pendingAsks } from "./ask-samples.js";

const A = pendingAsk("A");
const APPROVED = { answer: { resolution: "Approve" } };
const DENIED = { answer: { resolution: "Deny" } };

/** Asks and answers that are under way at once. */
export const OVERLAPPING: AskChannelTests = {
  "of answers given at once one is delivered, and that is the one that the call gets": async (bench) => {
    const waiting = await bench.park(A);
    const names = ["ana", "ben", "cleo", "dan", "eve"];
    const answers = names.map((name) => bench.answer(A, { resolution: "Deny", decided_by: name }));
    const statuses = await Promise.all(answers);
    const delivered = names[statuses.indexOf("delivered")] ?? "nobody";
    const expected = names.map((name) => (name === delivered ? "delivered" : "already_answered"));
    requireSame(statuses, expected, "the statuses");
    const outcome = { answer: { resolution: "Deny", decided_by: delivered } };
    requireSame(await bench.outcomeOf(waiting), outcome, "what the call got");
  },

  "asks about equal calls are answered apart": async (bench) => {
    const again = pendingAsk("again", { args_digest: A.args_digest });
    const [first, second] = [await bench.park(A), await bench.park(again)];
    requireSame(await bench.answer(A, "Approve"), "delivered", "answer() to the first");
    requireSame(await bench.outcomeOf(first), APPROVED, "what the first call got");
    requireSame(await bench.list(), [again], "list()");
    requireSame(await bench.answer(again, "Deny"), "delivered", "answer() to the second");
    requireSame(await bench.outcomeOf(second), DENIED, "what the second call got");
  },

  "asks that wait at once each get their own answer": async (bench) => {
    const asks = pendingAsks(20);
    const waiting = asks.map((ask) => bench.put(ask));
    for (const ask of asks) await bench.until(() => bench.isListed(ask), `the approver lists ask ${ask.id}`);
    const answerTo = ({ id }: PendingAsk): AskAnswer => ({ resolution: "Approve", reason: id });
    const statuses = await Promise.all(asks.toReversed().map((ask) => bench.answer(ask, answerTo(ask))));
    requireSame(
      statuses,
      asks.map(() => "delivered"),
      "the statuses",
    );
    const outcomes = await Promise.all(waiting.map((each) => bench.outcomeOf(each)));
    requireSame(
      outcomes,
      asks.map((ask) => ({ answer: answerTo(ask) })),
      "what the calls got",
    );
  },
};
