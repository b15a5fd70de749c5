import { memoryWorkspace } from "@x/permission-core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolvePath } from "../../src/paths/resolve-path.js";
import { compilePathPattern } from "../../src/patterns/compile-path-pattern.js";
import { slowPatternMatches } from "./support/slow-matcher.js";
import { slowPathMatches } from "./support/slow-path-matcher.js";

const workspace = memoryWorkspace({});

const name = fc.constantFrom("a", "b", "ab", ".a", "a.b");
const path = fc.array(name, { maxLength: 5 });
const piece = fc.oneof(name, fc.constantFrom("*", "**", "**", "a*", "*b", "?", "*.b", "a?"));
const pattern = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom("", "/"), fc.constantFrom("", "./"))
  .map(([pieces, end, start]) => start + pieces.join("/") + end);

const matches = (effect: "allow" | "deny", given: string, against: string) =>
  compilePathPattern(given, { effect, workspace }).matchesPath(resolvePath(against, { workspace }));

describe("a path pattern", () => {
  it("of an allow covers what one that tries every name covers", () => {
    fc.assert(
      fc.property(pattern, path, (given, names) => {
        const against = `/w/${names.join("/")}`;
        expect(matches("allow", given, against)).toBe(slowPathMatches("/w", given, against, false));
      }),
      { numRuns: 8000 },
    );
  });

  it("of a deny matches what one that tries every name matches, and what it matches as written", () => {
    fc.assert(
      fc.property(pattern, path, fc.constantFrom("/w", "/v"), (given, names, folder) => {
        const against = [folder, ...names].join("/");
        const asWritten = slowPatternMatches(given.replace(/(?:\/\**)+$/, ""), against);
        const isBelow = slowPatternMatches(`${given.replace(/(?:\/\**)+$/, "")}/*`, against);
        expect(matches("deny", given, against)).toBe(
          asWritten || isBelow || slowPathMatches("/w", given, against, true),
        );
      }),
      { numRuns: 8000 },
    );
  });
});
