import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { terminalAskResolver } from "../../src/terminal/index.js";
import { pendingAsk, wait } from "../support/asks.js";
import { FakeTerminal, KEY } from "../support/fake-terminal.js";

const ASK = pendingAsk("A", { rememberable: ["session", "this_call", "this_tool"] });
const anyKey = fc.constantFrom(
  KEY.up,
  KEY.down,
  KEY.enter,
  KEY.escape,
  "y",
  "Y",
  " ",
  "a",
  "j",
  "k",
  "\t",
  "\n",
);
const text = fc.string({ unit: "grapheme-ascii", maxLength: 12 });

/** Puts one ask, types `early` before the grace time is over and `late` after it, and at last Ctrl-C. */
async function answerTo(early: { key: string; afterMs: number }[], late: readonly string[]) {
  const terminal = new FakeTerminal();
  const { input, output, clock } = terminal;
  const answer = Promise.resolve(terminalAskResolver({ input, output, clock }).resolve(ASK, wait().context));
  await terminal.turn();
  let leftMs = 299;
  for (const { key, afterMs } of early) {
    const stepMs = Math.min(afterMs, leftMs);
    leftMs -= stepMs;
    await terminal.pass(stepMs);
    await terminal.type(key);
  }
  await terminal.pass(leftMs + 1);
  await terminal.type(...late, KEY.ctrlC);
  return answer;
}

describe("[CASE-203] nothing approves", () => {
  it("that was typed in the first 300 ms, followed by an Enter or not", async () => {
    const early = fc.array(fc.record({ key: anyKey, afterMs: fc.nat({ max: 150 }) }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(early, fc.constantFrom([], [KEY.enter]), async (keys, late) => {
        expect(await answerTo(keys, late)).toMatchObject({ resolution: "Deny" });
      }),
      { numRuns: 60 },
    );
  });

  it("that is text, at any time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (pieces) => {
        const late = pieces.map((piece) => `${piece}${KEY.enter}`);
        expect(await answerTo([], late)).toMatchObject({ resolution: "Deny" });
      }),
      { numRuns: 60 },
    );
  });
});
