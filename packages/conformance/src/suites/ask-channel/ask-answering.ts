import type { AnswerStatus, AskAnswer } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import type { AskChannelTests } from "./ask-channel-test.js";
import { pendingAsk, pendingAsks } from "./ask-samples.js";

const A = pendingAsk("A");
const B = pendingAsk("B");
const APPROVED = { answer: { resolution: "Approve" } };
const DENIED = { answer: { resolution: "Deny" } };

/** Single use, bound to id and digest, and what the answering side is told. */
export const ANSWERING: AskChannelTests = {
  "an answer, bare or whole, reaches the call that waits, and is told that it was delivered": async (
    bench,
  ) => {
    const answers = ["Approve", "Deny", { resolution: "Approve" }, { resolution: "Deny" }] as const;
    const waiting = await bench.parkAll(pendingAsks(answers.length));
    for (const [index, { ask }] of waiting.entries())
      requireSame(await bench.answer(ask, answers[index] ?? "Deny"), "delivered", "answer()");
    const outcomes = await Promise.all(waiting.map((each) => bench.outcomeOf(each)));
    requireSame(outcomes, [APPROVED, DENIED, APPROVED, DENIED], "what the calls got");
  },

  "an answer arrives with all its fields, and as it was given": async (bench) => {
    const modified = { target: "/staging", list: [1, null] };
    const answers: AskAnswer[] = [
      {
        resolution: "Approve",
        remember: "this_call",
        remember_until_ms: 4_102_444_800_000,
        decided_by: "ana",
        reason: "once",
      },
      { resolution: "Deny", remember: "this_tool", reason: "not on Fridays ü", decided_by: "ben" },
      { resolution: "Approve", modified_input: modified },
      { resolution: "Approve", modified_input: null },
    ];
    const expected = structuredClone(answers).map((answer) => ({ answer }));
    const waiting = await bench.parkAll(pendingAsks(answers.length));
    for (const [index, { ask }] of waiting.entries()) await bench.answer(ask, answers[index] ?? "Deny");
    modified.target = "/prod";
    const outcomes = await Promise.all(waiting.map((each) => bench.outcomeOf(each)));
    requireSame(outcomes, expected, "what the calls got");
  },

  "an ask takes one answer; a second one is told already_answered and changes nothing": async (bench) => {
    const waiting = await bench.park(A);
    requireSame(await bench.answer(A, "Deny"), "delivered", "the first answer()");
    requireSame(await bench.answer(A, "Approve"), "already_answered", "the second answer()");
    requireSame(await bench.resolve(A.id, "Approve"), false, "resolve()");
    requireSame(await bench.outcomeOf(waiting), DENIED, "what the call got");
    requireSame(
      await bench.answer(A, "Approve"),
      "already_answered",
      "answer() after the call got its answer",
    );
    requireSame(await bench.list(), [], "list()");
  },

  "an answer to an ask that was never put is unknown": async (bench) => {
    requireSame(await bench.answer(A, "Approve"), "unknown", "answer() in an empty channel");
    await bench.park(B);
    requireSame(await bench.answer(A, "Approve"), "unknown", "answer() beside another ask");
    requireSame(await bench.resolve(A.id, "Approve"), false, "resolve()");
    requireSame(await bench.list(), [B], "list()");
  },

  "an answer with the digest of another call is a mismatch, and the ask goes on waiting": async (bench) => {
    const [first, second] = [await bench.park(A), await bench.park(B)];
    const wrong = [B.args_digest, "", A.args_digest.toUpperCase(), `${A.args_digest} `];
    for (const digest of wrong) {
      const named = { id: A.id, args_digest: digest };
      requireSame(
        await bench.answer(named, "Approve"),
        "mismatch",
        `answer() with ${JSON.stringify(digest)}`,
      );
    }
    requireSame(await bench.list(), [A, B], "list()");
    requireSame(await bench.answer(A, "Deny"), "delivered", "answer() with the right digest");
    requireSame(await bench.answer(B, "Approve"), "delivered", "answer() to the other ask");
    requireSame(await bench.outcomeOf(first), DENIED, "what the call got");
    requireSame(await bench.outcomeOf(second), APPROVED, "what the other call got");
  },

  "resolve by id is true for the answer that reached its ask, and for no other": async (bench) => {
    const waiting = await bench.park(A);
    requireSame(await bench.resolve("B", "Deny"), false, "resolve() of an ask that was never put");
    requireSame(await bench.resolve("A", "Approve"), true, "resolve()");
    requireSame(await bench.resolve("A", "Approve"), false, "resolve() again");
    requireSame(await bench.outcomeOf(waiting), APPROVED, "what the call got");
  },

  "a repeat of an answer under its answerId reads delivered again, and nothing else does": async (bench) => {
    const waiting = await bench.park(A);
    const expect = async (status: AnswerStatus, given: Parameters<typeof bench.answer>, what: string) =>
      requireSame(await bench.answer(...given), status, what);
    await expect("delivered", [A, "Approve", "one"], "the answer");
    await expect("delivered", [A, "Approve", "one"], "the repeat");
    await expect("delivered", [A, { resolution: "Approve" }, "one"], "the repeat, spelled out");
    await expect("already_answered", [A, "Deny", "one"], "another answer under the answerId");
    await expect("already_answered", [A, "Approve", "two"], "the answer under another answerId");
    await expect("already_answered", [A, "Approve"], "the answer without an answerId");
    requireSame(await bench.outcomeOf(waiting), APPROVED, "what the call got");
  },

  "an id may be any text": async (bench) => {
    const asks = ["__proto__", "constructor", "{a}:*?[b]", "../x", "a b\n", "a", "a\u0000b", "é😀"].map(
      (id) => pendingAsk(id),
    );
    for (const ask of asks)
      requireSame(
        await bench.answer(ask, "Approve"),
        "unknown",
        `answer() to ${JSON.stringify(ask.id)}, never put`,
      );
    const waiting = await bench.parkAll(asks);
    for (const ask of asks)
      requireSame(await bench.answer(ask, "Approve"), "delivered", `answer() to ${JSON.stringify(ask.id)}`);
    const outcomes = await Promise.all(waiting.map((each) => bench.outcomeOf(each)));
    requireSame(
      outcomes,
      asks.map(() => APPROVED),
      "what the calls got",
    );
  },
};
