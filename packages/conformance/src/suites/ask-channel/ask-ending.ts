import { PermissionGateError } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import type { AskChannelTests } from "./ask-channel-test.js";
import { pendingAsk, pendingAsks } from "./ask-samples.js";

const A = pendingAsk("A");
const B = pendingAsk("B");

/** Ways in which a wait ends without an answer, with the status that a late answer is told. */
const ENDS = [
  ["cancelled", "ask_cancelled", "cancelled"],
  ["past its deadline", "ask_expired", "expired"],
  ["answered elsewhere", "ask_answered", "already_answered"],
] as const;

/** What ends a wait beside an answer, and what is left of it. */
export const ENDING: AskChannelTests = {
  ...Object.fromEntries(
    ENDS.map(([how, code, status]): [string, AskChannelTests[string]] => [
      `a wait that is ${how} rejects with ${code}, and a late answer is told ${status}`,
      async (bench) => {
        const [ended, other] = [await bench.park(A), await bench.park(B)];
        ended.end(code);
        requireSame(await bench.outcomeOf(ended), { code }, "what the call got");
        await bench.gone(A);
        requireSame(await bench.answer(A, "Approve"), status, "answer()");
        requireSame(await bench.resolve(A.id, "Approve"), false, "resolve()");
        requireSame(await bench.list(), [B], "list()");
        requireSame(await bench.answer(B, "Approve"), "delivered", "answer() to another ask");
        requireSame(
          await bench.outcomeOf(other),
          { answer: { resolution: "Approve" } },
          "what the other call got",
        );
      },
    ]),
  ),

  "a signal that was aborted before is rejected with its reason, and nothing is put": async (bench) => {
    const controller = new AbortController();
    controller.abort(new PermissionGateError("ask_expired", "too late"));
    const waiting = bench.put(A, controller);
    requireSame(await bench.outcomeOf(waiting), { code: "ask_expired" }, "what the call got");
    await bench.park(B);
    requireSame(await bench.list(), [B], "list()");
    requireSame(await bench.next(), B, "nextPending()");
    requireSame((await bench.answer(A, "Approve")) === "delivered", false, "whether an answer was delivered");
  },

  "one signal may end many waits": async (bench) => {
    const controller = new AbortController();
    const asks = pendingAsks(20);
    const waiting = asks.map((ask) => bench.put(ask, controller));
    for (const ask of asks) await bench.until(() => bench.isListed(ask), `the approver lists ask ${ask.id}`);
    const other = await bench.park(A);
    controller.abort(new PermissionGateError("ask_cancelled", "cancelled"));
    for (const each of waiting)
      requireSame(await bench.outcomeOf(each), { code: "ask_cancelled" }, "what a call got");
    for (const ask of asks) await bench.gone(ask);
    requireSame(await bench.list(), [A], "list()");
    requireSame(other.isOver(), false, "whether another wait is over");
  },

  "an answer that was delivered stands, whatever the signal does afterwards": async (bench) => {
    const waiting = await bench.park(A);
    requireSame(await bench.answer(A, "Approve"), "delivered", "answer()");
    requireSame(await bench.outcomeOf(waiting), { answer: { resolution: "Approve" } }, "what the call got");
    waiting.end("ask_cancelled");
    await bench.turn();
    requireSame(await bench.answer(A, "Approve"), "already_answered", "answer() after the signal fired");
  },

  "the end of a call may be told, and changes nothing about its answer": async (bench) => {
    const [answered, ended, other] = await bench.parkAll([A, B, pendingAsk("C")]);
    await bench.answer(A, "Approve");
    ended?.end("ask_expired");
    for (const waiting of [answered, ended]) if (waiting !== undefined) await bench.outcomeOf(waiting);
    await bench.gone(B);
    await bench.resolver.settled?.(A, "completed");
    await bench.resolver.settled?.(B, "denied");
    requireSame(await bench.answer(A, "Deny"), "already_answered", "answer() to the answered ask");
    requireSame(await bench.answer(B, "Approve"), "expired", "answer() to the expired ask");
    requireSame(other?.isOver(), false, "whether another wait is over");
  },
};
