import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeWorkspace } from "../../src/config/node-workspace.js";
import { resolvePath } from "../../src/paths/resolve-path.js";
import { compilePathPattern } from "../../src/patterns/compile-path-pattern.js";

const UNPRIVILEGED = 65_534;
const storage = expect.objectContaining({ code: "storage" });

let base = "";
let root = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "node-workspace-")));
  root = join(base, "w");
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  mkdirSync(join(base, "data"));
  writeFileSync(join(root, "src", "a.ts"), "a");
  writeFileSync(join(base, "data", "x"), "x");
});

afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

const link = (to: string, name: string) => symlinkSync(to, join(root, name));
const resolve = (path: string) => resolvePath(path, { workspace: nodeWorkspace(root) });
const matches = (effect: "allow" | "deny", pattern: string, path: string) => {
  const workspace = nodeWorkspace(root);
  return compilePathPattern(pattern, { effect, workspace }).matchesPath(resolvePath(path, { workspace }));
};

/** As a user to whom the system refuses things. */
function unprivileged<Result>(run: () => Result): Result {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(UNPRIVILEGED);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}

describe("nodeWorkspace", () => {
  it("is rooted at the folder it is given, which is made absolute, with the user's home", () => {
    const workspace = nodeWorkspace(root, { home: "/home/u" });
    expect(workspace).toMatchObject({ root, home: "/home/u", platform: "posix" });
    expect(nodeWorkspace(".").root).toBe(process.cwd());
    expect(nodeWorkspace(root, { home: "" })).not.toHaveProperty("home");
    expect(typeof nodeWorkspace(root).home).toBe("string");
  });

  it("finds out whether case counts where it is not told", () => {
    expect(nodeWorkspace(root, { caseInsensitive: true }).caseInsensitive).toBe(true);
    expect(nodeWorkspace(root, { caseInsensitive: false }).caseInsensitive).toBe(false);
    symlinkSync(root, join(base, "W"));
    expect(nodeWorkspace(root).caseInsensitive).toBe(process.platform === "darwin");
    expect(nodeWorkspace(join(base, "nowhere")).caseInsensitive).toBe(process.platform === "darwin");
  });

  it("gives real paths, null for what is missing, and throws for links that lead nowhere or in circles", () => {
    link("src", "near");
    link("gone", "broken");
    link("loop", "loop");
    const { realPath } = nodeWorkspace(root);
    expect(realPath("near/a.ts")).toBe(join(root, "src/a.ts"));
    expect(realPath(join(root, "near"))).toBe(join(root, "src"));
    expect(realPath("near/gone")).toBeNull();
    expect(realPath("src/a.ts/below-a-file")).toBeNull();
    expect(() => realPath("broken")).toThrow(storage);
    expect(() => realPath("loop")).toThrow();
    expect(() => realPath("a\0b")).toThrow();
    expect(() => realPath("a".repeat(300))).toThrow();
  });

  it("leaves `..` behind a link to the system", () => {
    link("src/deep", "far");
    const { realPath } = nodeWorkspace(root);
    expect(realPath("far/../a.ts")).toBe(join(root, "src/a.ts"));
    expect(realPath("nowhere/../src/a.ts")).toBeNull();
  });

  it("reads regular files, with a stamp that changes when they do", () => {
    const workspace = nodeWorkspace(root, { maxBytes: 10 });
    const file = join(root, "f");
    expect(workspace.readText("f")).toBeNull();
    expect(workspace.readText("src/a.ts/x")).toBeNull();
    writeFileSync(file, "\u00fc");
    const first = workspace.readText("f");
    expect(first?.text).toBe("\u00fc");
    expect(workspace.readText(file)).toEqual(first);
    utimesSync(file, 1, 1);
    const touched = workspace.readText("f");
    expect(touched?.stamp).not.toBe(first?.stamp);
    writeFileSync(join(root, "g"), "u");
    utimesSync(join(root, "g"), 1, 1);
    renameSync(join(root, "g"), file);
    expect(workspace.readText("f")?.stamp).not.toBe(touched?.stamp);
  });

  it("reads nothing that is too large, a folder, or a pipe, and waits for nothing", () => {
    const workspace = nodeWorkspace(root, { maxBytes: 10 });
    writeFileSync(join(root, "large"), "0123456789x");
    execFileSync("mkfifo", [join(root, "pipe")]);
    for (const path of ["large", "src", "pipe"]) expect(() => workspace.readText(path)).toThrow(storage);
  });

  it("throws where it may not look", () => {
    mkdirSync(join(root, "closed", "in"), { recursive: true });
    chmodSync(base, 0o755);
    chmodSync(join(root, "closed"), 0);
    unprivileged(() => {
      const workspace = nodeWorkspace(root);
      expect(() => workspace.realPath("closed/in")).toThrow();
      expect(() => workspace.readText("closed/in")).toThrow(storage);
    });
    chmodSync(join(root, "closed"), 0o755);
  });
});

describe("paths on a real file system", () => {
  it("that lead out of the workspace by a link are known by where they lead", () => {
    link(join(base, "data"), "out");
    expect(resolve("out/x")).toMatchObject({
      normal: join(root, "out/x"),
      real: join(base, "data/x"),
      inWorkspace: false,
    });
    expect(resolve("out/new")).toMatchObject({ real: join(base, "data/new"), inWorkspace: false });
    expect(matches("allow", "**", "out/x")).toBe(false);
    expect(matches("deny", `${base}/data/**`, "out/x")).toBe(true);
    expect(matches("deny", "out/**", join(base, "data/x"))).toBe(true);
  });

  it("that lead into the workspace from elsewhere are not in it by name", () => {
    symlinkSync(join(root, "src"), join(base, "in"));
    expect(resolve(join(base, "in/a.ts"))).toMatchObject({
      real: join(root, "src/a.ts"),
      inWorkspace: false,
    });
    expect(matches("allow", "src/**", join(base, "in/a.ts"))).toBe(false);
    expect(matches("deny", "src/**", join(base, "in/a.ts"))).toBe(true);
  });

  it("with a broken or looping link on the way are unresolved", () => {
    link(join(base, "data/later"), "broken");
    link("loop", "loop");
    for (const path of ["broken", "broken/x/y", "loop", "loop/x/y/z", "src/../broken"]) {
      expect(resolve(path)).toMatchObject({ unresolved: true, inWorkspace: false });
      expect(matches("allow", "**", path)).toBe(false);
      expect(matches("deny", "**", path)).toBe(true);
    }
    expect(resolve("src/new/er")).toMatchObject({ unresolved: false, inWorkspace: true });
  });

  it("that nobody may look at are unresolved", () => {
    mkdirSync(join(root, "closed"));
    chmodSync(base, 0o755);
    chmodSync(join(root, "closed"), 0);
    unprivileged(() => {
      expect(resolve("closed/x/y")).toMatchObject({ unresolved: true, inWorkspace: false });
      expect(resolve("src/a.ts")).toMatchObject({ unresolved: false, inWorkspace: true });
    });
    chmodSync(join(root, "closed"), 0o755);
  });

  it("with `..` behind a link are unresolved, since some fold it first", () => {
    link(join(base, "data"), "out");
    expect(resolve("out/../src/a.ts")).toMatchObject({ normal: join(root, "src/a.ts"), unresolved: true });
    expect(resolve("src/deep/../a.ts")).toMatchObject({ real: join(root, "src/a.ts"), unresolved: false });
    expect(resolve("src/new/../a.ts")).toMatchObject({ real: join(root, "src/a.ts"), unresolved: false });
    expect(resolve("src/a.ts/../a.ts")).toMatchObject({ unresolved: true });
  });

  it("in a workspace whose root is a link are in it by either name", () => {
    symlinkSync(root, join(base, "linked"));
    const workspace = nodeWorkspace(join(base, "linked"));
    const allowed = compilePathPattern("src/*", { effect: "allow", workspace });
    for (const path of ["src/a.ts", join(root, "src/a.ts"), join(base, "linked/src/a.ts")]) {
      const forms = resolvePath(path, { workspace });
      expect(forms.inWorkspace).toBe(true);
      expect(allowed.matchesPath(forms)).toBe(true);
    }
  });

  it("that cannot be opened at all are unresolved, and nothing throws", () => {
    for (const path of ["a\0b", "a".repeat(5_000), `${"a/".repeat(10_000)}b`, "\ud800", "~nobody/x"])
      expect(resolve(path).unresolved).toBe(true);
  });
});
