import { type MemoryFiles, memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { resolvePath } from "../../src/paths/resolve-path.js";

const FILES: MemoryFiles = {
  "/w/src/a.ts": "",
  "/w/src/deep/b.ts": "",
  "/w/out": { link: "/etc" },
  "/w/near": { link: "src/deep" },
  "/w/loop": { link: "/w/loop" },
  "/etc/passwd": "",
  "/home/u/notes.md": "",
  "/elsewhere/in": { link: "/w/src" },
};
const workspace = memoryWorkspace(FILES, { home: "/home/u" });
const resolve = (path: string, folder?: string | null) =>
  resolvePath(path, folder === undefined ? { workspace } : { workspace, folder });

describe("resolvePath in a workspace", () => {
  it.each([
    ["src/a.ts", "/w/src/a.ts"],
    ["./src/a.ts", "/w/src/a.ts"],
    ["/w/src/a.ts", "/w/src/a.ts"],
    ["/w//src///a.ts", "/w/src/a.ts"],
    ["//w/src/a.ts", "/w/src/a.ts"],
    ["/w/src/", "/w/src"],
    ["/w/./src/./a.ts", "/w/src/a.ts"],
    ["src/deep/../a.ts", "/w/src/a.ts"],
    ["src/nowhere/../a.ts", "/w/src/a.ts"],
    ["../../../../etc/passwd", "/etc/passwd"],
    ["", "/w"],
    [".", "/w"],
    ["/", "/"],
    ["..", "/"],
    ["~", "/home/u"],
    ["~/notes.md", "/home/u/notes.md"],
    ["~/../u/notes.md", "/home/u/notes.md"],
    ["./~/notes.md", "/w/~/notes.md"],
    ["%2e%2e/etc", "/w/%2e%2e/etc"],
    ["src\\a.ts", "/w/src\\a.ts"],
    ["...", "/w/..."],
    [".env", "/w/.env"],
    ["a:b/c", "/w/a:b/c"],
    ["C:/x", "/w/C:/x"],
  ])("takes %j for %s", (path, normal) => {
    expect(resolve(path)).toMatchObject({ written: path, normal, unresolved: false });
  });

  it("follows links: out of the workspace, inside it, and into it from elsewhere", () => {
    expect(resolve("out/passwd")).toMatchObject({
      normal: "/w/out/passwd",
      real: "/etc/passwd",
      inWorkspace: false,
    });
    expect(resolve("near/b.ts")).toMatchObject({ real: "/w/src/deep/b.ts", inWorkspace: true });
    expect(resolve("/elsewhere/in/a.ts")).toMatchObject({ real: "/w/src/a.ts", inWorkspace: false });
    expect(resolve("src/a.ts")).toMatchObject({ real: "/w/src/a.ts", inWorkspace: true });
    expect(resolve("../w-other/a")).toMatchObject({ normal: "/w-other/a", inWorkspace: false });
  });

  it("gives a missing file the real path of the nearest folder above it", () => {
    expect(resolve("src/new.ts")).toMatchObject({ real: "/w/src/new.ts", inWorkspace: true });
    expect(resolve("near/new/er/file")).toMatchObject({ real: "/w/src/deep/new/er/file", inWorkspace: true });
    expect(resolve("out/new")).toMatchObject({ real: "/etc/new", inWorkspace: false });
    expect(resolve("/nowhere/at/all")).toMatchObject({ real: "/nowhere/at/all", unresolved: false });
  });

  it("leaves a loop unresolved, for what is below it too", () => {
    for (const path of ["loop", "loop/x", "loop/x/y/z", "src/../loop/x"])
      expect(resolve(path)).toMatchObject({ unresolved: true, inWorkspace: false });
  });

  it("leaves `..` behind a link unresolved where following and folding lead apart", () => {
    expect(resolve("near/../a.ts")).toMatchObject({
      normal: "/w/a.ts",
      real: "/w/src/a.ts",
      unresolved: true,
    });
    expect(resolve("out/../src/a.ts")).toMatchObject({ normal: "/w/src/a.ts", unresolved: true });
    expect(resolve("near/../new.ts")).toMatchObject({
      normal: "/w/new.ts",
      real: "/w/src/new.ts",
      unresolved: true,
    });
    expect(resolve("nowhere/../near/b.ts")).toMatchObject({ real: "/w/src/deep/b.ts", unresolved: false });
    expect(resolve("src/nowhere/../../near/b.ts")).toMatchObject({
      real: "/w/src/deep/b.ts",
      unresolved: false,
    });
  });

  it.each([
    ["a NUL", "src/a.ts\0.png"],
    ["half a surrogate pair", "src/\ud800"],
    ["more characters than any system takes", `src/${"a/".repeat(20_000)}`],
    ["another user's home", "~root/.ssh/id"],
    ["a file address", "file:///etc/passwd"],
    ["a file address in capitals", "FILE:/etc/passwd"],
  ])("leaves a path with %s unresolved", (_, path) => {
    expect(resolve(path)).toMatchObject({ written: path, unresolved: true, inWorkspace: false });
  });

  it("leaves `~` unresolved where no home is known", () => {
    expect(resolvePath("~/x", { workspace: memoryWorkspace({}) })).toMatchObject({
      normal: "/w/~/x",
      unresolved: true,
    });
  });

  it("starts a relative path at the folder it is told, and at the root where that is empty", () => {
    expect(resolve("a.ts", "src")).toMatchObject({ normal: "/w/src/a.ts", unresolved: false });
    expect(resolve("../a.ts", "src/deep")).toMatchObject({ normal: "/w/src/a.ts", unresolved: false });
    expect(resolve("x", "/etc")).toMatchObject({ normal: "/etc/x", inWorkspace: false });
    expect(resolve("x", "~")).toMatchObject({ normal: "/home/u/x" });
    expect(resolve("b.ts", "near")).toMatchObject({ real: "/w/src/deep/b.ts" });
    expect(resolve("/etc/x", "src")).toMatchObject({ normal: "/etc/x" });
    expect(resolve("~/x", "src")).toMatchObject({ normal: "/home/u/x" });
    expect(resolve("a.ts", "")).toEqual({ ...resolve("a.ts") });
  });

  it("leaves a relative path unresolved where nobody knows its folder, and no other", () => {
    expect(resolve("src/a.ts", null)).toMatchObject({
      normal: "/w/src/a.ts",
      unresolved: true,
      inWorkspace: false,
    });
    expect(resolve("/w/src/a.ts", null)).toMatchObject({ unresolved: false, inWorkspace: true });
    expect(resolve("~/notes.md", null)).toMatchObject({ normal: "/home/u/notes.md", unresolved: false });
  });

  it("counts a workspace whose root is a link as one, from both sides", () => {
    const linked = memoryWorkspace(
      { "/tmp/w": { link: "/private/w" }, "/private/w/a": "" },
      { root: "/tmp/w" },
    );
    expect(resolvePath("a", { workspace: linked })).toMatchObject({
      real: "/private/w/a",
      inWorkspace: true,
    });
    expect(resolvePath("/private/w/a", { workspace: linked })).toMatchObject({ inWorkspace: true });
    expect(resolvePath("/private/x", { workspace: linked })).toMatchObject({ inWorkspace: false });
  });

  it("holds everything in a workspace whose root is the file system's", () => {
    const whole = memoryWorkspace({ "/etc/passwd": "" }, { root: "/" });
    expect(resolvePath("etc/passwd", { workspace: whole })).toMatchObject({
      normal: "/etc/passwd",
      inWorkspace: true,
    });
    expect(resolvePath("../etc", { workspace: whole })).toMatchObject({ normal: "/etc", inWorkspace: true });
  });
});

describe("resolvePath without a workspace", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//b/../a.ts", "src/a.ts"],
    ["../x", "../x"],
    ["a/../../x", "../x"],
    ["/a/../../x", "/x"],
    ["", "."],
    ["a/..", "."],
    ["~/x", "~/x"],
    ["/", "/"],
  ])("folds %j to %j and asks nobody", (path, normal) => {
    expect(resolvePath(path)).toEqual({
      written: path,
      normal,
      real: null,
      unresolved: false,
      inWorkspace: null,
      windows: null,
    });
  });

  it("starts a relative path at the folder it is told", () => {
    expect(resolvePath("../x", { folder: "a/b" }).normal).toBe("a/x");
    expect(resolvePath("/x", { folder: "a/b" }).normal).toBe("/x");
    expect(resolvePath("x", { folder: null })).toMatchObject({ normal: "x", unresolved: true });
    expect(resolvePath("/x", { folder: null })).toMatchObject({ normal: "/x", unresolved: false });
  });

  it("leaves a path with a NUL unresolved", () => {
    expect(resolvePath("a\0b").unresolved).toBe(true);
  });
});
