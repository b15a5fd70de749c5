import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Key, KeyParser } from "../../src/terminal/key-parser.js";

function parse(...pieces: string[]): Key[] {
  const parser = new KeyParser();
  return [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.flush()];
}

const names = (...pieces: string[]) =>
  parse(...pieces).map((key) => (key.name === "character" ? key.text : key.name));

describe("KeyParser", () => {
  it.each([
    ["\u001b[A\u001b[B\u001b[C\u001b[D", ["up", "down", "right", "left"]],
    ["\u001bOA\u001bOB\u001bOH\u001bOF", ["up", "down", "home", "end"]],
    ["\u001b[H\u001b[F\u001b[1~\u001b[4~\u001b[3~", ["home", "end", "home", "end", "delete"]],
    ["\r\n\u007f\u0008", ["enter", "enter", "backspace", "backspace"]],
    ["\u0003\u0004\u001b", ["interrupt", "end_of_input", "escape"]],
    ["aé😀", ["a", "é", "😀"]],
    ["\t\u0000\u001a", ["other", "other", "other"]],
    ["\u001b[1;5A\u001b[200~\u001bx", ["other", "other", "other"]],
    ["\u001b\u001b", ["escape", "escape"]],
    ["\u001b\u001b[A", ["escape", "up"]],
    ["\u001b[", ["other"]],
    ["\u001b\u0003", ["escape", "interrupt"]],
    ["\u001b\u007f", ["escape", "backspace"]],
    ["\u001b[\u0003\u001bO\u0003", ["other", "interrupt", "other", "interrupt"]],
    ["\u001b[\r", ["other", "enter"]],
  ])("reads %j", (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it("reads a torn sequence as one key", () => {
    expect(names("\u001b", "[", "B")).toEqual(["down"]);
  });

  it("reads the same keys however the input is torn", () => {
    const part = fc.constantFrom(
      "\u001b",
      "[",
      "O",
      "A",
      "B",
      "3~",
      "1;5",
      "\r",
      "\u0003",
      "n",
      "y",
      "é",
      "😀",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        expect(parse(...parts)).toEqual(parse(parts.join("")));
      }),
    );
  });
});
