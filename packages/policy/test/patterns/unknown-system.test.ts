import type { RuleEffect } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolvePath } from "../../src/paths/resolve-path.js";
import { compilePathPattern } from "../../src/patterns/compile-path-pattern.js";

const matches = (effect: RuleEffect, pattern: string, path: string, exact = false) =>
  compilePathPattern(pattern, { effect, exact }).matchesPath(resolvePath(path));

describe("without a workspace, where nobody knows the system, a deny or an ask", () => {
  it.each([
    ["C:/secret/**", "C:\\secret\\k"],
    ["C:/secret/**", "c:\\SECRET\\k"],
    ["C:/secret/**", "c:/SECRET/k"],
    ["C:/secret/**", "C:\\x\\..\\secret\\k"],
    ["C:/secret/**", "C:/x\\../secret/k"],
    ["C:\\secret\\**", "C:/secret/k"],
    ["C:\\secret\\**", "C:\\secret\\k"],
    ["C:\\secret", "\\\\?\\C:\\secret\\k"],
    ["C:\\secret", "//?/C:/secret/k"],
    ["C:/secret/k", "C:\\secret\\k::$DATA"],
    ["C:/secret/k", "C:\\secret\\k. ."],
    ["C:/secret/**", "\\secret\\k"],
    ["C:\\secret\\**", "/secret/k"],
    ["//server/share/secret", "\\\\SERVER\\share\\secret\\k"],
    ["\\\\server\\share\\secret", "//server/share/secret/k"],
    ["\\\\server\\share\\secret", "\\\\server\\share\\x\\..\\secret\\k"],
    ["C:/secret", "C:secret\\k"],
    ["secret/**", "C:secret"],
    ["secret/**", "secret\\k"],
    ["secret/**", "SECRET\\k"],
    ["secret/**", "C:\\w\\secret\\k"],
    ["secret\\**", "secret/k"],
    ["secret\\k", "/w/Secret/k"],
    ["**/.env", "app\\.env"],
    ["~/.ssh/**", "~\\.ssh\\id"],
    ["c:*", "C:\\x"],
    ["c:*", "c/x"],
    ["*.pem", "keys\\a.PEM"],
  ])("%s knows %s", (pattern, path) => {
    expect(matches("deny", pattern, path)).toBe(true);
    expect(matches("ask", pattern, path)).toBe(true);
  });

  it.each([
    ["C:/secret/**", "D:\\secret\\k"],
    ["c:*", "/w/secret"],
    ["c:", "d:\\c\\..\\x"],
    ["C:/secret/**", "C:\\secrets\\k"],
    ["C:/secret/**", "C:\\x\\..\\k"],
    ["secret/**", "SECRET/k"],
    ["secret/**", "secrets\\k"],
    ["\\\\server\\share\\x", "\\\\server\\other\\x"],
  ])("%s does not know %s", (pattern, path) => {
    expect(matches("deny", pattern, path)).toBe(false);
  });

  it("compares an exact path as either system reads it", () => {
    expect(matches("deny", "C:/secret/k", "C:\\Secret\\k", true)).toBe(true);
    expect(matches("deny", "C:/secret", "C:\\secret\\k", true)).toBe(false);
    expect(matches("deny", "a\\*", "a\\*", true)).toBe(true);
    expect(matches("deny", "a\\*", "a\\b", true)).toBe(false);
  });
});

describe("without a workspace, where nobody knows the system, an allow", () => {
  it.each([
    ["C:\\work\\**", "C:\\work\\..\\secret", false],
    ["C:\\work\\**", "C:\\work\\a\\b", true],
    ["C:\\work\\*", "C:\\work\\a", true],
    ["C:/work/**", "C:/work/a", true],
    ["C:/work/**", "C:/work\\../secret", false],
    ["C:/work/**", "C:/work/a\\..\\..\\secret", false],
    ["C:/work/**", "C:\\work\\a", false],
    ["C:/work/**", "c:/work/a", false],
    ["src/**", "src\\a", false],
    ["src/**", "src/..\\..\\secret", false],
    ["src/**", "src/a\\b", true],
    ["src/*", "src/a\\b", false],
    ["*", "..\\secret", false],
    ["*", "\\secret", false],
    ["**", "C:\\secret", false],
    ["**", "C:secret", false],
    ["*", "C:secret", false],
    ["/**", "/w\\..\\..\\x", true],
    ["/w/**", "/w/a\\..\\..\\x", false],
    ["/w/**", "/w/a:stream", true],
    ["/w/**", "/w/b\\a:stream", false],
    ["/w/**", "//w/share/a", false],
    ["", "C:\\secret", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(matches("allow", pattern, path)).toBe(expected);
  });

  it("is learned exactly for the path as it stands", () => {
    for (const path of ["C:\\work\\a.ts", "src\\a.ts", "\\\\server\\share\\a"])
      expect(matches("allow", path, path, true)).toBe(true);
    expect(matches("allow", "C:\\work\\a", "C:\\work\\A", true)).toBe(false);
  });

  it("covers nothing that it would not cover as a path of posix", () => {
    const piece = fc.constantFrom("/", "\\", "C:", "a", "b", "..", ".", "*", "**", "~");
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, fc.boolean(), (pattern, path, exact) => {
        const forms = resolvePath(path);
        const compiled = compilePathPattern(pattern, { effect: "allow", exact });
        if (compiled.matchesPath(forms)) expect(compiled.matchesPath({ ...forms, windows: null })).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
