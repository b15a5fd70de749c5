import { describe, expect, it } from "vitest";
import { resolvePath } from "../../src/paths/resolve-path.js";
import { compilePathPattern } from "../../src/patterns/compile-path-pattern.js";
import { patternMatches } from "../../src/patterns/pattern-matches.js";

/** Generous, since machines that run tests are busy; a matcher that tries things twice takes hours. */
const AT_ONCE_MS = 1_000;

const KILO = 1_000;
const long = "a".repeat(100 * KILO);

function elapsedMs(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

describe("a pattern made to be slow, on 100 kB of text", () => {
  it.each([
    ["many runs", "*a".repeat(500), `${long}b`],
    ["very many runs", "*a".repeat(60 * KILO), `${long}b`],
    ["runs and single wildcards", `${"*a?".repeat(333)}z`, `${long}b`],
    ["a single wildcard in a long piece", `*${"a".repeat(500)}?${"a".repeat(500)}b*`, long],
    ["a long piece that nearly stands everywhere", `*${"a".repeat(KILO)}b*`, long],
    ["a long piece that begins with what is missing", `*b${"a".repeat(KILO)}*`, long],
    ["a long piece with what is missing in the middle", `*${"a".repeat(500)}b${"a".repeat(500)}*`, long],
    ["a prefix behind a run", `*${"a".repeat(31)}:*`, `${long}b`],
    ["a long prefix behind a run", `*${"a".repeat(KILO)}:*`, `${long}b`],
    ["one wildcard and a very long piece", `?${"a".repeat(40 * KILO)}*`, "b".repeat(100 * KILO)],
    ["letters in turn", "a*b*c*d*e*f*Z", "abcdef".repeat(17 * KILO)],
    ["half characters", `${"*\ud83d?".repeat(200)}z`, "\ud83d".repeat(100 * KILO)],
  ])("%s: answers at once", (_, pattern, text) => {
    expect(elapsedMs(() => expect(patternMatches(pattern, text)).toBe(false))).toBeLessThan(AT_ONCE_MS);
  });

  it.each([
    ["many runs", "*a/".repeat(300)],
    ["many folders", "**/a/".repeat(200)],
    ["folders and names", "**/*a*/".repeat(140)],
    ["single wildcards", "**/?a".repeat(200)],
  ])("%s, as a path: answers at once for allow and deny", (_, pattern) => {
    const longest = resolvePath(`/${"a/".repeat(16 * KILO)}b`);
    const tooLong = resolvePath(`/${"a/".repeat(50 * KILO)}b`);
    expect(longest.unresolved).toBe(false);
    const spend = elapsedMs(() => {
      for (const effect of ["allow", "deny"] as const)
        for (const forms of [longest, tooLong])
          expect(compilePathPattern(`/${pattern}z`, { effect }).matchesPath(forms)).toBe(false);
    });
    expect(spend).toBeLessThan(AT_ONCE_MS);
  });
});
