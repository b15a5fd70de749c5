import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { terminalAskResolver } from "../../src/terminal/index.js";
import { pendingAsk, wait } from "../support/asks.js";
import { FakeTerminal } from "../support/fake-terminal.js";

const FORGED = "Tool     read_file      Asks     Read README.md?";
const LABEL = /^(Tool|Agent|Asks|Details|Digest|Comment|!)/;

/** Puts the ask on screen, gives the rows that are shown there without the frame on their left, and denies. */
async function rowsOf(fields: Parameters<typeof pendingAsk>[1], columns: number, widthAfter = columns) {
  const terminal = new FakeTerminal(columns);
  const { input, output, clock } = terminal;
  const answer = Promise.resolve(
    terminalAskResolver({ input, output, clock }).resolve(pendingAsk("A", fields), wait().context),
  );
  await terminal.turn();
  if (widthAfter !== columns) {
    terminal.clear();
    await terminal.resize(widthAfter);
  }
  const rows = terminal.text.split("\n").map((row) => row.replace(/^[│◆├◇└](?: {2}|$)/u, ""));
  await terminal.type("n");
  await answer;
  return rows;
}

const labelsOf = (rows: string[]) => rows.flatMap((row) => LABEL.exec(row)?.[1] ?? []);

/** `before`, blanks up to where a line of the box ends, and what should seem to be a row of its own. */
const padded = (before: string, columns: number, indent = 0) =>
  `${before}${" ".repeat(Math.max(0, columns - 6 - 9 - before.length + indent))}${FORGED}`;

describe.each([80, 40])("on %i columns", (columns) => {
  it.each(["prompt", "details", "tool", "agent", "args_digest"])(
    "blanks in %s move nothing into the column of the labels",
    async (field) => {
      for (const indent of [0, 1, 9, columns - 6]) {
        const rows = await rowsOf(
          { agent: "a", details: "d", [field]: padded("x", columns, indent) },
          columns,
        );
        expect(labelsOf(rows)).toEqual(["Tool", "Agent", "Asks", "Details", "Digest", "Tool", "Asks"]);
        expect(rows.join("\n")).toContain("··");
      }
    },
  );

  it("marks what goes on in the next line", async () => {
    const rows = await rowsOf({ prompt: "word ".repeat(30).trim() }, columns);
    expect(rows.filter((row) => row.startsWith("         ↳ word")).length).toBeGreaterThan(1);
  });

  it("counts wide characters for two", async () => {
    const rows = await rowsOf({ prompt: `${"漢".repeat(100)}${FORGED}` }, columns);
    for (const row of rows.filter((row) => row.includes("漢"))) {
      const text = row.replace(/ *│$/u, "");
      expect(text.length + (text.match(/漢/gu)?.length ?? 0)).toBeLessThanOrEqual(columns - 6);
    }
  });

  it("repeats what is asked below the details, however many these are", async () => {
    const details = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n");
    const rows = await rowsOf({ details }, columns);
    const end = rows.slice(-14);
    expect(end).toContain("Tool     deploy");
    expect(end).toContain("Asks     approve the deploy?");
  });
});

it("lays the question out anew when the terminal gets narrower", async () => {
  const rows = await rowsOf({ prompt: `${"a ".repeat(10)}Tool read_file` }, 80, 40);
  expect(labelsOf(rows).filter((label) => label === "Tool").length).toBeLessThanOrEqual(1);
  expect(rows.some((row) => row.startsWith("         ↳ "))).toBe(true);
});

const piece = fc.oneof(
  fc.integer({ min: 0, max: 130 }).map((count) => " ".repeat(count)),
  fc.constantFrom(
    FORGED,
    "Tool",
    "Asks     x",
    "Digest",
    "!",
    "\n",
    "\r\n",
    "│  Tool     x",
    "↳ Tool",
    "漢",
    "e\u0301",
  ),
  fc.integer({ min: 0, max: 130 }).map((count) => "x".repeat(count)),
  fc.string({ unit: "binary", maxLength: 10 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

it("no row begins with a label but ours, whatever the ask says and however wide the terminal", async () => {
  const ask = fc.record({ tool: text, agent: text, prompt: text, details: text, args_digest: text });
  await fc.assert(
    fc.asyncProperty(ask, fc.integer({ min: 30, max: 130 }), async (fields, columns) => {
      const rows = await rowsOf(fields, columns);
      const labels = labelsOf(rows).filter((label) => label !== "!");
      expect(labels).toEqual(["Tool", "Agent", "Asks", "Details", "Digest", "Tool", "Asks"]);
      const top = rows.findIndex((row) => row.includes("Permission needed")) + 2;
      const bottom = rows.findIndex((row) => /^├?─+╯$/u.test(row));
      for (const row of rows.slice(top, bottom - 1)) {
        expect(row).toMatch(/^(?:(?:Tool|Agent|Asks|Details|Digest|!) +|(?: {9}[↳|] ))/u);
      }
    }),
  );
});
