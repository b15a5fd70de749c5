import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GreedyMatcher } from "../../src/patterns/greedy-matcher.js";
import { StateMatcher } from "../../src/patterns/state-matcher.js";
import {
  ANY,
  FOLDERS,
  joinTokens,
  RUN,
  SEGMENT_ANY,
  SEGMENT_RUN,
  type Token,
} from "../../src/patterns/token.js";
import { matcherOf } from "../../src/patterns/token-matcher.js";
import { slowMatches } from "./support/slow-matcher.js";

const token: fc.Arbitrary<readonly Token[]> = fc.constantFrom<readonly Token[]>(
  ["a"],
  ["b"],
  ["/"],
  ["/a"],
  ["\u{1f600}"],
  ["\ude00"],
  [RUN],
  [ANY],
  [SEGMENT_RUN],
  [SEGMENT_ANY],
  ["/", FOLDERS],
  ["/", FOLDERS],
);
const tokens = fc.array(token, { maxLength: 8 }).map((each) => each.flat());
const ending = fc.constantFrom("", "/", " \t");
const text = fc
  .array(fc.constantFrom("a", "b", "/", "/", "\u{1f600}", "\ude00", " "), { maxLength: 14 })
  .map((each) => each.join(""));

describe("the matchers of tokens", () => {
  it("answer as one that tries everything, once neighbours are joined", () => {
    fc.assert(
      fc.property(tokens, ending, text, (given, followed, against) => {
        const expected = slowMatches(given, followed, against);
        const joined = joinTokens(given);
        expect(matcherOf(joined, followed).matches(against)).toBe(expected);
        expect(new StateMatcher(joined, followed).matches(against)).toBe(expected);
      }),
      { numRuns: 8000 },
    );
  });

  it("agree with each other where the text is searched and where states are counted", () => {
    const searchable = fc
      .array(fc.constantFrom<readonly Token[]>(["a"], ["b"], ["/"], [RUN], ["/", FOLDERS, "a"]), {
        maxLength: 8,
      })
      .map((each) => joinTokens(each.flat()));
    fc.assert(
      fc.property(searchable, ending, text, (given, followed, against) => {
        const greedy = GreedyMatcher.of(given, followed);
        expect(greedy?.matches(against)).toBe(new StateMatcher(given, followed).matches(against));
      }),
      { numRuns: 4000 },
    );
  });

  it("answer alike where a long pattern names some code points often and others seldom", () => {
    const often = "o".repeat(150);
    const piece = fc.constantFrom<readonly Token[]>(
      ["o"],
      [often],
      ["x"],
      ["/"],
      [ANY],
      [SEGMENT_RUN],
      ["/", FOLDERS],
    );
    const changes = fc.array(fc.tuple(fc.nat(400), fc.constantFrom("o", "x", "y", "/")), { maxLength: 2 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), ending, changes, (pieces, followed, changed) => {
        const given = joinTokens([...pieces.flat(), SEGMENT_ANY, often]);
        const characters = given
          .map((each) => (typeof each === "string" ? each : "y"))
          .join("")
          .split("");
        for (const [at, character] of changed) characters[at % characters.length] = character;
        const against = characters.join("");
        expect(new StateMatcher(given, followed).matches(against)).toBe(
          slowMatches(given, followed, against),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("take memory by the length of a pattern, not by its square, however many code points it names", () => {
    const characters = Array.from({ length: 40_000 }, (_, index) => String.fromCodePoint(0x1_0000 + index));
    const long = characters.join("");
    const before = process.memoryUsage().arrayBuffers;
    const matcher = matcherOf([ANY, long], "");
    // A row of states for each code point would take 200 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    expect(matcher.matches(`x${long}`)).toBe(true);
    expect(matcher.matches(long)).toBe(false);
    expect(matcher.matches(`x${characters.toReversed().join("")}`)).toBe(false);
  });

  it("count more states than fit into one word", () => {
    const given = joinTokens([
      "/",
      FOLDERS,
      "x".repeat(40),
      SEGMENT_ANY,
      SEGMENT_RUN,
      "y".repeat(40),
      ANY,
      "/",
      FOLDERS,
      "z",
    ]);
    const fitting = `/a/b/${"x".repeat(40)}1q${"y".repeat(40)}//c/d/z`;
    expect(matcherOf(given, "").matches(fitting)).toBe(true);
    expect(matcherOf(given, "").matches(fitting.replace("1q", "1/q"))).toBe(false);
    expect(matcherOf(given, "").matches(`${fitting}/`)).toBe(false);
    expect(matcherOf(given, "/").matches(`${fitting}/`)).toBe(true);
  });
});
