import type { WorkspaceReader } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolvePath } from "../../src/paths/resolve-path.js";
import { compilePathPattern } from "../../src/patterns/compile-path-pattern.js";

const files = { "/w/a/b": "", "/w/link": { link: "/w/a" }, "/w/loop": { link: "loop" }, "/x/y": "" };
const throwing: WorkspaceReader = {
  ...memoryWorkspace({}),
  realPath: () => {
    throw new Error("refused");
  },
};
const workspaces: readonly (WorkspaceReader | undefined)[] = [
  undefined,
  memoryWorkspace(files, { home: "/home/u", caseInsensitive: true }),
  memoryWorkspace({ "C:\\w\\a": "", "C:\\w\\l": { link: "C:\\w\\a" } }, { platform: "win32", home: "C:\\u" }),
  memoryWorkspace({}, { root: "/" }),
  { ...memoryWorkspace({}), root: "", home: "not absolute" },
  throwing,
  { ...memoryWorkspace({}), realPath: () => null },
];
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "/",
        "/",
        "\\",
        "..",
        ".",
        "~",
        "a",
        "link",
        "loop",
        "C:",
        "//?/",
        "\0",
        "\ud800",
        "*",
        "**",
        "?",
        ":*",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));
const workspaceOf = (index: number) => {
  const workspace = workspaces[index % workspaces.length];
  return workspace === undefined ? {} : { workspace };
};

describe("paths of any text", () => {
  it("are resolved without a throw, the same each time, and folded", () => {
    fc.assert(
      fc.property(hostile, fc.nat(), fc.option(hostile), (path, index, folder) => {
        const options = { ...workspaceOf(index), folder };
        const forms = resolvePath(path, options);
        expect(resolvePath(path, options)).toEqual(forms);
        expect(forms.written).toBe(path);
        const names = forms.normal.split("/");
        if (options.workspace !== undefined) expect(names).not.toContain("..");
        if (forms.normal.length > 1) expect(names).not.toContain(".");
        if (forms.unresolved) expect(forms.inWorkspace).not.toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("keep their normal form when that is resolved in turn", () => {
    const workspace = memoryWorkspace(files, { home: "/home/u" });
    fc.assert(
      fc.property(hostile, (path) => {
        const { normal } = resolvePath(path, { workspace });
        expect(resolvePath(normal, { workspace }).normal).toBe(normal);
      }),
      { numRuns: 2000 },
    );
  });

  it("are compared with patterns of any text without a throw, and an allow covers nothing unresolved", () => {
    fc.assert(
      fc.property(hostile, hostile, fc.nat(), fc.boolean(), (pattern, path, index, exact) => {
        const options = workspaceOf(index);
        const forms = resolvePath(path, options);
        for (const effect of ["allow", "ask", "deny"] as const) {
          const isMatch = compilePathPattern(pattern, { effect, exact, ...options }).matchesPath(forms);
          if (effect === "allow" && forms.unresolved) expect(isMatch).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("match a deny of whatever an allow of the same pattern covers", () => {
    fc.assert(
      fc.property(hostile, hostile, fc.nat(), fc.boolean(), (pattern, path, index, exact) => {
        const options = workspaceOf(index);
        const forms = resolvePath(path, options);
        const isMatch = (effect: "allow" | "deny") =>
          compilePathPattern(pattern, { effect, exact, ...options }).matchesPath(forms);
        if (isMatch("allow")) expect(isMatch("deny")).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it("begin with the literal prefix of every allow that covers them", () => {
    fc.assert(
      fc.property(hostile, hostile, fc.nat(), (pattern, path, index) => {
        const options = workspaceOf(index);
        const forms = resolvePath(path, options);
        const compiled = compilePathPattern(pattern, { effect: "allow", ...options });
        if (compiled.matchesPath(forms)) expect(forms.normal.startsWith(compiled.literalPrefix)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("are resolved at once, however long", () => {
    const workspace = memoryWorkspace(files);
    const windows = memoryWorkspace({}, { platform: "win32" });
    const start = performance.now();
    for (const piece of [
      "a/",
      "../",
      "a/../",
      "x/../../",
      "//",
      "\\",
      "~",
      "\ud800",
      "//?/",
      "//?/UNC/",
      "a:",
      ". ",
    ])
      for (const options of [{}, { workspace }, { workspace: windows }])
        resolvePath(piece.repeat(30_000), options);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
