import { displaySafe } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapText } from "../../src/terminal/wrap-text.js";

describe("wrapText", () => {
  it.each([
    ["short", 20, ["short"]],
    ["", 20, [""]],
    ["one two three", 11, ["one two·", "three"]],
    ["abcdefghijkl", 12, ["abcdefghij", "kl"]],
    ["ab cdefghijklmno", 12, ["ab cdefghi", "jklmno"]],
    ["abcde cdefghijklmno", 12, ["abcde·", "cdefghijkl", "mno"]],
    ["abcdefghij kl", 12, ["abcdefghij·", "kl"]],
    ["漢漢漢漢漢漢", 12, ["漢漢漢漢漢", "漢"]],
    ["a  b c ", 20, ["a··b c·"]],
    [" a", 20, ["·a"]],
  ])("lays %j out on %i columns", (text, columns, lines) => {
    expect(wrapText(text, columns)).toEqual(lines);
  });

  it("leaves accents with their letter", () => {
    expect(wrapText("e\u0301".repeat(8), 12)).toEqual(["e\u0301".repeat(5), "e\u0301".repeat(3)]);
  });

  it("counts every character for the widest a terminal draws it, and loses none", () => {
    const text = fc
      .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(" ", "   ", "word", "漢字", "👩🏽")))
      .map((parts) => displaySafe(parts.join("")).text);
    fc.assert(
      fc.property(text, fc.integer({ min: 12, max: 60 }), (shown, columns) => {
        const lines = wrapText(shown, columns);
        for (const line of lines) {
          const width = Array.from(line.replace(/\p{M}/gu, ""), (character) => (character <= "~" ? 1 : 2));
          expect(width.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(columns);
        }
        expect(lines.join("").replace(/[ ·]/g, "")).toBe(shown.replace(/[ ·]/g, ""));
      }),
    );
  });
});
