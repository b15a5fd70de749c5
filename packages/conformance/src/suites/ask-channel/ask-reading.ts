import type { PendingAsk } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import type { AskChannelTests } from "./ask-channel-test.js";
import { pendingAsk, pendingAsks } from "./ask-samples.js";

const A = pendingAsk("A");
const B = pendingAsk("B");

/** What the approver is shown, when, and in which order. */
export const READING: AskChannelTests = {
  "shows an ask as it was put, with all its fields": async (bench) => {
    const full = pendingAsk("full", {
      details: "rm -rf build\n\u0000é😀",
      expires_at_ms: 4_102_444_800_000,
      descriptor_digest: "0123456789abcdef",
      descriptor_changed: true,
      agent: "child",
      configured_ask: true,
      floored_configured_allow: false,
      rememberable: ["this_call", "this_tool"],
    });
    await bench.parkAll([A, full]);
    requireSame(await bench.list(), [A, full], "list()");
    requireSame([await bench.next(), await bench.next()], [A, full], "nextPending()");
  },

  "stays bound to the ask as it was put, whoever changes what they put or were shown": async (bench) => {
    const original = pendingAsk("A", { rememberable: ["this_call"] });
    const put = structuredClone(original);
    const waiting = await bench.park(put);
    for (const shown of [put, ...(await bench.list()), await bench.next()]) spoil(shown);
    requireSame(await bench.list(), [original], "list()");
    const forged = { id: "A", args_digest: "spoilt" };
    requireSame(await bench.answer(forged, "Approve"), "mismatch", "answer() with the changed digest");
    requireSame(await bench.answer(original, "Deny"), "delivered", "answer()");
    requireSame(await bench.outcomeOf(waiting), { answer: { resolution: "Deny" } }, "what the call got");
  },

  "gives and lists asks in the order in which they were put": async (bench) => {
    const asks = pendingAsks(10);
    await bench.parkAll(asks);
    requireSame(idsOf(await bench.list()), idsOf(asks), "list()");
    for (const ask of asks) requireSame(await bench.next(), ask, "nextPending()");
    requireSame(idsOf(await bench.list()), idsOf(asks), "list() when all were read");
  },

  "gives an ask once, and takes its answer before or after that": async (bench) => {
    const [early, late, last] = pendingAsks(3) as [PendingAsk, PendingAsk, PendingAsk];
    await bench.parkAll([early, late, last]);
    requireSame(await bench.answer(early, "Deny"), "delivered", "answer() before the ask was read");
    requireSame(await bench.next(), late, "nextPending()");
    requireSame(await bench.next(), last, "nextPending() again");
    requireSame(await bench.answer(late, "Deny"), "delivered", "answer() after the ask was read");
    requireSame(await bench.list(), [last], "list()");
  },

  "skips what ended while it was queued": async (bench) => {
    const asks = pendingAsks(6);
    const waiting = await bench.parkAll(asks);
    waiting[0]?.end("ask_expired");
    waiting[2]?.end("ask_cancelled");
    waiting[3]?.end("ask_answered");
    for (const index of [0, 2, 3]) await bench.gone(asks[index] ?? A);
    await bench.answer(asks[4] ?? A, "Approve");
    requireSame(await bench.next(), asks[1], "nextPending()");
    requireSame(await bench.next(), asks[5], "nextPending() again");
  },

  "makes a reader wait until there is something to read": async (bench) => {
    let isRead = false;
    const reader = bench.approver.nextPending().then((ask) => {
      isRead = true;
      return ask;
    });
    for (let turn = 0; turn < 10; turn += 1) await bench.turn();
    requireSame(isRead, false, "whether nextPending() gave something before there was anything");
    await bench.park(A);
    requireSame(await bench.ended(reader, "the reader gets the ask"), A, "nextPending()");
  },

  "gives each of several readers another ask": async (bench) => {
    const readers = [1, 2, 3].map(() => bench.approver.nextPending());
    const asks = pendingAsks(3);
    await bench.parkAll(asks);
    const read = await Promise.all(readers.map((reader) => bench.ended(reader, "a reader gets an ask")));
    const ids = read.map((ask) => ask?.id ?? "none").sort();
    requireSame(ids, idsOf(asks).sort(), "the ids that the readers got");
  },

  "a reader that leaves rejects with its signal's reason and takes no ask with it": async (bench) => {
    const leaving = new AbortController();
    const reader = codeOf(bench.approver.nextPending({ signal: leaving.signal }));
    await bench.turn();
    leaving.abort({ code: "left" });
    requireSame(await bench.ended(reader, "the reader leaves"), "left", "what nextPending() rejected with");
    await bench.park(A);
    const gone = codeOf(bench.approver.nextPending({ signal: AbortSignal.abort({ code: "gone" }) }));
    requireSame(await bench.ended(gone, "a reader that was gone"), "gone", "what it rejected with");
    requireSame(await bench.next(), A, "nextPending()");
  },

  "for await gives asks in order, and leaving it closes nothing": async (bench) => {
    const waiting = await bench.parkAll([A, B]);
    for (const expected of [A, B]) {
      for await (const ask of bench.approver) {
        requireSame(ask, expected, "the ask of the loop");
        break;
      }
      await bench.turn();
      requireSame(waiting[1]?.isOver(), false, "whether the second wait is over");
    }
    requireSame(await bench.list(), [A, B], "list()");
    requireSame(await bench.answer(B, "Approve"), "delivered", "answer()");
  },
};

function idsOf(asks: readonly PendingAsk[]): string[] {
  return asks.map(({ id }) => id);
}

function spoil(ask: PendingAsk | null): void {
  if (ask === null) throw new Error("nextPending() gave null although an ask waits");
  ask.args_digest = "spoilt";
  ask.prompt = "spoilt";
  ask.rememberable?.push("this_tool");
}

/** The code of what a reader rejected with. */
async function codeOf(reader: Promise<unknown>): Promise<string> {
  return reader.then(
    () => "nothing: it gave something",
    (error: { code?: string }) => error.code ?? String(error),
  );
}
