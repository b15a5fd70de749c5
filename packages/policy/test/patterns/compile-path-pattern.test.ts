import type { RuleEffect, WorkspaceReader } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { resolvePath } from "../../src/paths/resolve-path.js";
import { compilePathPattern } from "../../src/patterns/compile-path-pattern.js";

const workspace = memoryWorkspace(
  {
    "/w/src/a.ts": "",
    "/w/secret/key": "",
    "/w/out": { link: "/data" },
    "/w/inside": { link: "/w/src" },
    "/data/x": "",
    "/home/u/notes/n.md": "",
  },
  { home: "/home/u" },
);

const matches = (
  effect: RuleEffect,
  pattern: string,
  path: string,
  { exact = false, within = workspace }: { exact?: boolean; within?: WorkspaceReader | null } = {},
) => {
  const options = within === null ? {} : { workspace: within };
  return compilePathPattern(pattern, { effect, exact, ...options }).matchesPath(resolvePath(path, options));
};

describe("a path pattern of an allow", () => {
  it.each([
    ["src/*", "src/a.ts", true],
    ["src/*", "src/deep/b.ts", false],
    ["src/*", "src", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/*.ts", "src/.ts", true],
    ["src/*a.ts", "src/a.ts", true],
    ["src/?.ts", "src/a.ts", true],
    ["src?a.ts", "src/a.ts", false],
    ["src/**", "src/a.ts", true],
    ["src/**", "src/deep/er/b.ts", true],
    ["src/**", "src/.hidden/.env", true],
    ["src/**", "src", false],
    ["src/**", "srcs/a.ts", false],
    ["src/**/b.ts", "src/b.ts", true],
    ["src/**/b.ts", "src/deep/er/b.ts", true],
    ["src/**/b.ts", "src/xb.ts", false],
    ["src/**.ts", "src/deep/b.ts", true],
    ["**/*.md", "readme.md", true],
    ["**/*.md", "docs/deep/x.md", true],
    ["**/*.md", "/elsewhere/x.md", false],
    ["*", "a", true],
    ["*", "a/b", false],
    ["**", "a/b", true],
    ["**", ".", true],
    ["**", "/elsewhere", false],
    ["**", "../w-other/a", false],
    ["src", "src", true],
    ["src", "src/a.ts", false],
    ["src/", "src", true],
    ["src/", "src/deep/b.ts", true],
    ["src/", "srcs", false],
    ["src:*", "src/deep/b.ts", true],
    ["src:", "src", true],
    ["src:*", "src-old/a", false],
    ["./src/*", "src/a.ts", true],
    ["src/x/../*", "src/a.ts", true],
    ["src/*/../../secret/*", "secret/key", false],
    ["../other/**", "/other/a", true],
    ["/w/src/**", "src/a.ts", true],
    ["//w//src/**", "src/a.ts", true],
    ["/**", "/any/thing", true],
    ["~/notes/**", "/home/u/notes/n.md", true],
    ["~/notes/**", "~/notes/n.md", true],
    ["~", "/home/u", true],
    ["/home/u/**", "~/notes/n.md", true],
    ["src/**", "src/../secret/key", false],
    ["Src/**", "src/a.ts", false],
    [":*", "src/a.ts", false],
    ["", "/any/thing", true],
    ["src/[a].ts", "src/a.ts", false],
    ["src/[a].ts", "src/[a].ts", true],
    ["src/%2e%2e/**", "src/%2e%2e/x", true],
    ["src/**", "src/%2e%2e/x", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(matches("allow", pattern, path)).toBe(expected);
  });

  it("does not cover a path that a link leads out of what it names, and covers one that stays", () => {
    expect(matches("allow", "out/**", "out/x")).toBe(false);
    expect(matches("allow", "**", "out/x")).toBe(false);
    expect(matches("allow", "/data/**", "out/x")).toBe(false);
    expect(matches("allow", "**", "inside/a.ts")).toBe(true);
    expect(matches("allow", "inside/**", "inside/a.ts")).toBe(false);
    expect(matches("allow", "", "out/x")).toBe(true);
  });

  it("does not cover what is unresolved, with whatever pattern", () => {
    const loop = memoryWorkspace({ "/w/loop": { link: "loop" } });
    for (const pattern of ["", "**", "/**", "loop"])
      expect(matches("allow", pattern, "loop", { within: loop })).toBe(false);
  });

  it("takes the links of root and home as followed, of each side", () => {
    const linked = memoryWorkspace(
      {
        "/tmp/w": { link: "/private/w" },
        "/private/w/src/a": "",
        "/home/u": { link: "/data/u" },
        "/data/u/n/x": "",
      },
      { root: "/tmp/w", home: "/home/u" },
    );
    for (const path of ["src/a", "/tmp/w/src/a", "/private/w/src/a"])
      for (const pattern of ["src/*", "/tmp/w/src/**", "**", "src/"])
        expect(matches("allow", pattern, path, { within: linked })).toBe(true);
    expect(matches("allow", "~/n/*", "~/n/x", { within: linked })).toBe(true);
    expect(matches("allow", "~/n/*", "/data/u/n/x", { within: linked })).toBe(true);
    expect(matches("allow", "src/*", "/private/other/a", { within: linked })).toBe(false);
  });

  it("takes a root with wildcards in its name literally", () => {
    const odd = memoryWorkspace({ "/w*/a?/x": "", "/wide/a?/x": "" }, { root: "/w*/a?" });
    expect(matches("allow", "*", "x", { within: odd })).toBe(true);
    expect(matches("allow", "*", "/wide/a?/x", { within: odd })).toBe(false);
    expect(matches("deny", "x", "x", { within: odd })).toBe(true);
    expect(matches("deny", "x", "/wide/a?/x", { within: odd })).toBe(false);
  });

  it("compares an exact path literally, once it is absolute", () => {
    expect(matches("allow", "src/a*", "src/a*", { exact: true })).toBe(true);
    expect(matches("allow", "src/*", "src/a.ts", { exact: true })).toBe(false);
    expect(matches("allow", "src/a.ts", "/w/src/a.ts", { exact: true })).toBe(true);
    expect(matches("allow", "src", "src/a.ts", { exact: true })).toBe(false);
    expect(matches("allow", "src/", "src/a.ts", { exact: true })).toBe(false);
    expect(matches("allow", "out/x", "out/x", { exact: true })).toBe(false);
    expect(matches("allow", "/", "/", { exact: true })).toBe(true);
    expect(matches("allow", "/", "/w", { exact: true })).toBe(false);
  });
});

describe("a path pattern of a deny or an ask", () => {
  it.each([
    ["./.env", "/w/.env", true],
    ["./.env", "sub/../.env", true],
    ["**/.env*", "/w/server/.env.local", true],
    ["**/.env*", ".env", true],
    ["**/.env*", "/elsewhere/.env", true],
    ["**/.env*", "env", false],
    ["**/.env", "a.env", false],
    ["secret/*", "secret/deep/key", true],
    ["secret/**", "secret/key", true],
    ["secret/**", "secret", true],
    ["secret", "secret/key", true],
    ["secret/", "secret/key", true],
    ["secret/", "secret", true],
    ["secret:*", "secret/key", true],
    ["secret", "secrets/key", false],
    ["secret/**", "secret-old/key", false],
    ["*.pem", "deep/er/a.pem", true],
    ["src/**/x", "srcs/x", false],
    ["src/**/x", "src/x", true],
    ["src/**/x", "src/a/b/x/below", true],
    ["/etc/**", "/etc/passwd", true],
    ["/etc", "../../etc/passwd", true],
    ["~/.ssh/**", "/home/u/.ssh/id", true],
    ["~/.ssh", "~/.ssh/id", true],
    ["~/.ssh", "~/x/../.ssh/id", true],
    ["~/.ssh", "/home/other/.ssh/id", false],
    ["*", "/any/thing", true],
    ["**", "/any/thing", true],
    ["/**", "/any/thing", true],
    ["", "/any/thing", true],
    ["a?c", "a/c", true],
    ["SECRET/**", "secret/key", false],
    ["**/../secret", "secret/key", true],
    ["secret/key\0", "secret/key", false],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(matches("deny", pattern, path)).toBe(expected);
    expect(matches("ask", pattern, path)).toBe(expected);
  });

  it("knows a path by the links on its way, and by those in the pattern", () => {
    expect(matches("deny", "/data/**", "out/x")).toBe(true);
    expect(matches("deny", "out/**", "/data/x")).toBe(true);
    expect(matches("deny", "out", "/data/x")).toBe(true);
    expect(matches("deny", "out/*.key", "/data/deep/a.key")).toBe(true);
    expect(matches("deny", "inside/**", "src/a.ts")).toBe(true);
    expect(matches("deny", "out/**", "/database/x")).toBe(false);
    expect(matches("deny", "**/x", "out/x")).toBe(true);
  });

  it("follows the links in a pattern anew for each path", () => {
    const files: { [path: string]: { link: string } | string } = { "/data/x": "" };
    const changing = memoryWorkspace(files);
    const compiled = compilePathPattern("out/**", { effect: "deny", workspace: changing });
    const denies = () => compiled.matchesPath(resolvePath("/data/x", { workspace: changing }));
    expect(denies()).toBe(false);
    files["/w/out"] = { link: "/data" };
    expect(denies()).toBe(true);
  });

  it("still knows a path that is unresolved, by what is written and what it folds to", () => {
    const loop = memoryWorkspace({ "/w/loop": { link: "loop" } });
    expect(matches("deny", "loop/**", "loop/x", { within: loop })).toBe(true);
    expect(matches("deny", "**/passwd*", "/etc/passwd\0.png")).toBe(true);
    expect(matches("deny", "file:*", "file:///etc/passwd")).toBe(false);
    expect(matches("deny", "file:/**", "file:///etc/passwd")).toBe(true);
  });

  it("compares an exact path literally, in any form", () => {
    expect(matches("deny", "secret", "secret", { exact: true })).toBe(true);
    expect(matches("deny", "secret", "/w/x/../secret", { exact: true })).toBe(true);
    expect(matches("deny", "secret", "secret/key", { exact: true })).toBe(false);
    expect(matches("deny", "*", "secret", { exact: true })).toBe(false);
    expect(matches("deny", "/data/x", "out/x", { exact: true })).toBe(true);
  });

  it("composes accents, on either side", () => {
    expect(matches("deny", "\u00dcbersicht/**", "U\u0308bersicht/a.pdf")).toBe(true);
    expect(matches("deny", "U\u0308bersicht/**", "\u00dcbersicht/a.pdf")).toBe(true);
    expect(matches("allow", "\u00dcbersicht/**", "U\u0308bersicht/a.pdf")).toBe(false);
    expect(matches("deny", "\u00dcbersicht/**", "U\u0308bersicht/a.pdf", { within: null })).toBe(true);
  });

  it("folds case where the file system does, and never for an allow", () => {
    const blind = memoryWorkspace({ "/w/secret/a": "", "/w/Docs/a": "" }, { caseInsensitive: true });
    expect(matches("deny", "secret/**", "SECRET/a", { within: blind })).toBe(true);
    expect(matches("deny", "STRASSE", "stra\u00dfe", { within: blind })).toBe(true);
    expect(matches("deny", "\u03a3\u03a3", "\u03c3\u03c2", { within: blind })).toBe(true);
    expect(matches("deny", "secret", "SECRET", { within: blind, exact: true })).toBe(true);
    expect(matches("deny", "secret/**", "SECRET/a")).toBe(false);
    expect(matches("allow", "Docs/**", "docs/a", { within: blind })).toBe(false);
    expect(matches("allow", "Docs/**", "Docs/a", { within: blind })).toBe(true);
  });
});

describe("a path pattern without a workspace", () => {
  const bare = { within: null };

  it("is compared with the text of a path, folded", () => {
    expect(matches("allow", "src/**", "src/./x/../a.ts", bare)).toBe(true);
    expect(matches("allow", "src/**", "src/../secret", bare)).toBe(false);
    expect(matches("allow", "src/**", "/w/src/a.ts", bare)).toBe(false);
    expect(matches("allow", "/w/**", "/w/a/../b", bare)).toBe(true);
    expect(matches("allow", "**", "../x", bare)).toBe(false);
    expect(matches("allow", "**", "/etc/passwd", bare)).toBe(false);
    expect(matches("allow", "**", "src/a.ts", bare)).toBe(true);
    expect(matches("allow", "*", "../x", bare)).toBe(false);
    expect(matches("allow", "../**", "../x", bare)).toBe(true);
  });

  it("begins anywhere where it is relative and tightens, since nobody knows the root", () => {
    expect(matches("deny", "secret/**", "/w/secret/key", bare)).toBe(true);
    expect(matches("deny", "secret/**", "secret/key", bare)).toBe(true);
    expect(matches("deny", "./.env", "/w/p/.env", bare)).toBe(true);
    expect(matches("deny", "~/.ssh/**", "/home/u/.ssh/id", bare)).toBe(true);
    expect(matches("deny", "secret/**", "/w/secrets/key", bare)).toBe(false);
    expect(matches("deny", "/home/u/.zshrc", "~/.zshrc", bare)).toBe(false);
    expect(matches("deny", "**", ".", bare)).toBe(true);
  });

  it("is compared literally where it is exact, once it is folded", () => {
    const exact = { within: null, exact: true };
    for (const effect of ["allow", "deny"] as const) {
      expect(matches(effect, "src/a", "./src//a", exact)).toBe(true);
      expect(matches(effect, "./src/a", "src/a", exact)).toBe(true);
      expect(matches(effect, ".", "a/..", exact)).toBe(true);
      expect(matches(effect, "src/a", "/w/src/a", exact)).toBe(effect === "deny");
      expect(matches(effect, "src", "src/a", exact)).toBe(false);
    }
  });
});

describe("a path pattern on Windows", () => {
  const windows = memoryWorkspace(
    { "C:\\w\\docs\\a.md": "", "C:\\Secret\\k": "", "D:\\x\\y": "" },
    { platform: "win32", home: "C:\\Users\\u" },
  );
  const on = { within: windows };

  it.each(["docs\\a.md", "docs/a.md", "C:\\w\\docs\\a.md", "c:/w/docs/a.md"])(
    "matches %s either way it is written",
    (path) => {
      expect(matches("deny", "**", path, on)).toBe(true);
      for (const pattern of ["docs/*", "docs\\*", "C:\\w\\docs\\*", "c:/w/docs/*.md", "docs\\"])
        expect(matches("allow", pattern, path, on)).toBe(true);
    },
  );

  it.each([
    ["C:/secret/**", "c:\\SECRET\\k"],
    ["C:/secret/**", "\\\\?\\C:\\Secret\\k"],
    ["C:/secret/**", "C:\\Secret\\k::$DATA"],
    ["C:/secret/k", "C:\\Secret\\k."],
    ["/Secret", "..\\Secret\\k"],
    ["**/k", "C:\\Secret\\k "],
    ["D:*", "d:\\x\\y"],
    ["D:", "D:\\x\\y"],
    ["~\\x", "C:\\users\\U\\X"],
    ["//server/share/**", "\\\\SERVER\\share\\a"],
  ])("denies %s on %s", (pattern, path) => {
    expect(matches("deny", pattern, path, on)).toBe(true);
  });

  it("allows nothing on another drive", () => {
    expect(matches("allow", "**", "D:\\x\\y", on)).toBe(false);
    expect(matches("allow", "D:*", "D:\\x\\y", on)).toBe(true);
    expect(matches("allow", "D:*", "C:\\w\\docs\\a.md", on)).toBe(false);
  });
});
