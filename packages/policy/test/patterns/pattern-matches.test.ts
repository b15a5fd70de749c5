import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../src/patterns/compile-pattern.js";
import { patternMatches } from "../../src/patterns/pattern-matches.js";
import { slowPatternMatches } from "./support/slow-matcher.js";

const HIGH = "\ud83d";
const LOW = "\ude00";
const FACE = "\u{1f600}";

const textOf = (points: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...points), { maxLength }).map((each) => each.join(""));
const text = textOf(["a", "b", " ", "\n", ":", "*", "?", FACE, HIGH, LOW], 14);
const pattern = textOf(["a", "b", " ", ":", "*", "*", "?", FACE, HIGH, LOW], 9);

describe("patternMatches", () => {
  it("answers as a matcher that tries everything, whatever pattern and text", () => {
    fc.assert(
      fc.property(pattern, text, (given, against) => {
        expect(patternMatches(given, against)).toBe(slowPatternMatches(given, against));
      }),
      { numRuns: 4000 },
    );
  });

  it("answers the same for texts that were made to match", () => {
    const filled = fc.tuple(pattern, fc.array(text, { minLength: 9, maxLength: 9 })).map(([given, runs]) => {
      let next = 0;
      const take = () => runs[next++ % runs.length] ?? "";
      return [
        given,
        given.replace(/:\*?$/, "").replace(/[*?]/g, (wildcard) => (wildcard === "*" ? take() : "b")),
      ];
    });
    fc.assert(
      fc.property(filled, ([given = "", against = ""]) => {
        expect(patternMatches(given, against)).toBe(slowPatternMatches(given, against));
      }),
      { numRuns: 4000 },
    );
  });

  it("matches a literal with long pieces as a matcher that tries everything does", () => {
    const long = textOf(["a", "a", "a", "b"], 90);
    fc.assert(
      fc.property(long, long, long, (before, piece, after) => {
        expect(patternMatches(`*${piece}*`, before + after)).toBe((before + after).includes(piece));
        expect(patternMatches(`*${piece}*`, before + piece + after)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["git *", "git", false],
    ["git*", "git", true],
    ["*", "", true],
    ["*", "a\nb", true],
    ["?", FACE, true],
    ["?", HIGH + HIGH, false],
    [`${HIGH}*`, FACE, false],
    [`*${LOW}`, FACE, false],
    [`*${LOW}*`, `${FACE}${LOW}`, true],
    ["[id]", "[id]", true],
    ["[id]", "i", false],
    ["a\\*", "a\\x", true],
    ["", "anything", true],
    ["constructor", "constructor", true],
  ])("%j on %j: %s", (given, against, expected) => {
    expect(patternMatches(given, against)).toBe(expected);
  });

  it.each([
    ["ls", true],
    ["ls -la", true],
    ["ls\t-la", true],
    ["ls\n-la", true],
    ["lsof", false],
    ["ls;id", false],
    ["ls:*", false],
    ["ls\u00a0-la", false],
    ["ls\r-la", false],
    ["", false],
  ])(
    "takes `ls:*` and `ls:` for the word alone or followed by what separates words, on %j: %s",
    (against, expected) => {
      expect(patternMatches("ls:*", against)).toBe(expected);
      expect(patternMatches("ls:", against)).toBe(expected);
    },
  );

  it("takes a wildcard in a prefix for what it is elsewhere", () => {
    expect(patternMatches("git * main:*", "git push main --force")).toBe(true);
    expect(patternMatches("git * main:*", "git push mainline")).toBe(false);
    expect(patternMatches("git * main:*", "git push maina main x")).toBe(true);
    expect(patternMatches("git ?ush:*", "git push x")).toBe(true);
  });

  it("compares an exact pattern literally, and one that is empty with nothing", () => {
    expect(patternMatches("a?c", "abc", { exact: true })).toBe(false);
    expect(patternMatches("a*:*", "a*:*", { exact: true })).toBe(true);
    expect(patternMatches("ls:", "ls", { exact: true })).toBe(false);
    expect(patternMatches("", "anything", { exact: true })).toBe(true);
  });
});

describe("compilePattern", () => {
  it("gives a literal with which every matching text begins", () => {
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (given, against, exact) => {
        const compiled = compilePattern(given, { exact });
        if (compiled.matches(against)) expect(against.startsWith(compiled.literalPrefix)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(compilePattern("git push *").literalPrefix).toBe("git push ");
    expect(compilePattern("git push:*").literalPrefix).toBe("git push");
    expect(compilePattern("git push", { exact: true }).literalPrefix).toBe("git push");
    expect(compilePattern("*x").literalPrefix).toBe("");
  });
});
