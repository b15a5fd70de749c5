import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal } from "../../src/ledger/chain.js";
import { LEDGER_VERSION, lineText } from "../../src/ledger/ledger-line.js";
import { tornText } from "../../src/ledger/torn-text.js";
import { chainedLines, verifyTexts } from "./support/chained-text.js";
import { pre } from "./support/events.js";

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
/** Calls with names that differ, some of several bytes a character. */
const namesOf = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 6 }), { minLength: 1, maxLength: 8 });

/** The first thing that is said of the texts: a problem, or a line that was cut off. */
function firstPlace(texts: readonly (string | Uint8Array)[]) {
  const { problem, torn } = verifyTexts(texts);
  return problem === null ? torn[0] : { file: problem.file, line: problem.line };
}

describe("a chained ledger", () => {
  it("verifies as it was written, in whatever pieces it is read, and over several files", () => {
    fc.assert(
      fc.property(namesOf, namesOf, fc.integer({ min: 1, max: 50 }), (one, two, chunk) => {
        const first = chainedLines(one);
        const second = chainedLines(two, { file: "1", head: first.head });
        const result = verifyTexts([textOf(first.lines), textOf(second.lines)], { chunk });
        expect(result).toEqual({
          files: ["1", "2"],
          lines: one.length + two.length + 2,
          problem: null,
          torn: [],
          isChained: true,
          follows: null,
          head: second.head.hash,
        });
      }),
    );
  });

  it("shows every change of a single byte, and its line", () => {
    fc.assert(
      fc.property(namesOf, fc.nat(), fc.integer({ min: 1, max: 255 }), (names, place, difference) => {
        const { lines } = chainedLines(names);
        const bytes = Buffer.from(textOf(lines));
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ difference;
        const line = textOf(lines).slice(
          0,
          Buffer.from(textOf(lines)).subarray(0, at).toString("utf8").length,
        );
        expect(firstPlace([bytes])).toEqual({ file: "1", line: line.split("\n").length });
      }),
      { numRuns: 1_000 },
    );
  });

  it("shows a line that was taken away, unless it was the last", () => {
    fc.assert(
      fc.property(namesOf, fc.nat(), (names, place) => {
        const { lines } = chainedLines(names);
        const gone = place % (lines.length - 1);
        expect(firstPlace([textOf(lines.toSpliced(gone, 1))])).toEqual({ file: "1", line: gone + 1 });
      }),
    );
  });

  it("shows a line that stands twice, wherever the second stands", () => {
    fc.assert(
      fc.property(namesOf, fc.nat(), fc.nat(), (names, from, to) => {
        const { lines } = chainedLines(names);
        const doubled = lines[from % lines.length] as string;
        const at = to % (lines.length + 1);
        const texts = [textOf(lines.toSpliced(at, 0, doubled))];
        // Before itself it takes its own place, and is then itself the second.
        expect(firstPlace(texts)).toEqual({ file: "1", line: at === from % lines.length ? at + 2 : at + 1 });
      }),
    );
  });

  it("shows two lines that were swapped, and says that they were moved", () => {
    fc.assert(
      fc.property(namesOf, fc.nat(), fc.nat(), (names, one, other) => {
        const { lines } = chainedLines(names);
        const [left = 0, right = 0] = [one % lines.length, other % lines.length].sort((a, b) => a - b);
        fc.pre(left !== right);
        const swapped = lines.with(left, lines[right] as string).with(right, lines[left] as string);
        const { problem } = verifyTexts([textOf(swapped)]);
        expect(problem).toMatchObject({ file: "1", line: left + 1 });
        if (left > 0) expect(problem?.kind).toBe("reordered");
      }),
    );
  });

  it("shows a file that was left out, doubled or moved", () => {
    const one = chainedLines(["a"]);
    const two = chainedLines(["b"], { file: "1", head: one.head });
    const three = chainedLines(["c"], { file: "2", head: two.head });
    const [a, b, c] = [one, two, three].map(({ lines }) => textOf(lines)) as [string, string, string];
    const kindOf = (...texts: string[]) => {
      const { problem } = verifyTexts(texts);
      return problem && [problem.kind, problem.file, problem.line];
    };
    expect(kindOf(a, c)).toEqual(["missing", "2", 1]);
    expect(kindOf(b, a)).toEqual(["missing", "2", 1]);
    expect(kindOf(a, a)).toEqual(["missing", "2", 1]);
    expect(kindOf(a, textOf(two.lines.slice(0, 1)), c)).toEqual(["missing", "3", 1]);
    expect(kindOf(textOf(one.lines.slice(0, 1)), b)).toEqual(["missing", "2", 1]);
    expect(kindOf(b, c)).toBeNull();
    expect(verifyTexts([b, c]).follows).toEqual({ file: "1", hash: one.head.hash });
  });

  it("cannot show that its end is gone, unless a hash from there is expected", () => {
    const { lines, head } = chainedLines(["a", "b"]);
    const expected = new Set([head.hash]);
    expect(verifyTexts([textOf(lines)], { expected }).problem).toBeNull();
    expect(expected.size).toBe(0);
    const missed = new Set([head.hash]);
    expect(verifyTexts([textOf(lines.slice(0, -1))], { expected: missed }).problem).toBeNull();
    expect(missed.size).toBe(1);
  });

  it.each<[string, (lines: string[]) => string[], unknown]>([
    ["no hash", (lines) => lines.with(1, unsealed("a")), { kind: "unchained", line: 2 }],
    ["no hash at the begin", (lines) => lines.with(0, unsealed("a")), { kind: "unchained", line: 2 }],
    ["no start", (lines) => lines.slice(1), { kind: "missing", line: 1 }],
    ["an empty line", (lines) => lines.toSpliced(1, 0, ""), { kind: "malformed", line: 2 }],
    ["a second start", (lines) => [...lines, ...lines], { kind: "reordered", line: 4 }],
    [
      "a changed tool",
      (lines) => lines.with(1, (lines[1] as string).replace('"a"', '"z"')),
      { kind: "changed" },
    ],
    ["a gap", (lines) => lines.toSpliced(1, 1), { kind: "missing", line: 2 }],
  ])("with %s has a problem of its kind", (_, change, problem) => {
    const { lines } = chainedLines(["a", "b"]);
    expect(verifyTexts([textOf(change(lines))]).problem).toMatchObject(problem as object);
  });
});

const unsealed = (tool: string) => lineText({ v: LEDGER_VERSION, type: "tool.call", ...pre, tool });

describe("a line that was cut off", () => {
  const { lines, head } = chainedLines(["a", "b"]);
  const cut = Buffer.from(unsealed("käse")).subarray(0, 60);
  const named = seal(
    lineText({ v: LEDGER_VERSION, type: "ledger.torn", torn: tornText(cut), ts: 1 }),
    head,
  ).text;

  it("is no problem where it ends the file, or the line after it names it", () => {
    const ends = verifyTexts([Buffer.concat([Buffer.from(textOf(lines)), cut])]);
    expect([ends.problem, ends.torn]).toEqual([null, [{ file: "1", line: 4 }]]);
    const goesOn = verifyTexts([`${textOf(lines)}${cut}\n${named}\n`]);
    expect([goesOn.problem, goesOn.torn]).toEqual([null, [{ file: "1", line: 4 }]]);
  });

  it.each([
    ["was changed", `${textOf(lines)}${cut.toString().replace("tool", "loot")}\n${named}\n`, 4],
    ["was taken away", `${textOf(lines)}${named}\n`, 4],
    ["is not named", `${textOf(lines)}${cut}\n${unsealed("b")}\n`, 4],
    ["ends the file with an end of line", `${textOf(lines)}${cut}\n`, 4],
  ])("is malformed where it %s", (_, text, line) => {
    expect(verifyTexts([text]).problem).toMatchObject({ kind: "malformed", line });
  });

  it("may lack nothing but its end", () => {
    expect(verifyTexts([lines.join("\n")])).toMatchObject({ problem: null, torn: [], lines: 3 });
  });
});

describe("a ledger without a chain", () => {
  it("is verified line by line in its form", () => {
    const text = textOf([unsealed("a"), unsealed("b")]);
    expect(verifyTexts([text, text])).toMatchObject({
      problem: null,
      isChained: false,
      head: null,
      lines: 4,
    });
    expect(verifyTexts([text.replace('"turn":1', '"turn":-1')]).problem).toMatchObject({
      kind: "malformed",
      line: 1,
      message: expect.stringMatching(/^turn: /),
    });
    expect(verifyTexts([Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x0a])])]).problem).toEqual({
      kind: "malformed",
      file: "1",
      line: 3,
      message: "not UTF-8",
    });
  });

  it("may come before one with a chain, which then begins", () => {
    const chained = chainedLines(["b"]);
    expect(verifyTexts([textOf([unsealed("a")]), textOf(chained.lines)]).problem).toBeNull();
  });

  it("is a problem after one with a chain, which counts for nothing then", () => {
    const chained = chainedLines(["a"]);
    const result = verifyTexts([textOf(chained.lines), textOf([unsealed("b")])]);
    expect(result).toMatchObject({
      problem: { kind: "unchained", file: "2", line: 1 },
      isChained: false,
      head: null,
    });
    expect(verifyTexts([textOf(chained.lines), ""]).problem).toBeNull();
  });
});
