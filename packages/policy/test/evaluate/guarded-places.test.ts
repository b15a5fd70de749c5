import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, decideBash, deny, pathEffect } from "./rule-samples.js";

const workspace = memoryWorkspace({
  "/w/src/a.ts": "",
  "/w/.git/config": "",
  "/w/hooks": { link: "/w/.git" },
});

describe("accept-edits", () => {
  it.each([
    ".permissions/settings.yaml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".git/config",
    ".git/hooks/pre-commit",
    "src/../.git/config",
    "hooks/config",
    "packages/a/.permissions/settings.local.json",
  ])("asks about %j, which decides what may run", (path) => {
    for (const tool of ["Edit", "Write"]) {
      expect(pathEffect([], tool, path, { workspace, mode: "accept-edits" })).toBe("ask");
      expect(pathEffect([], tool, path, { mode: "accept-edits" })).toBe(
        path.startsWith("hooks") ? "allow" : "ask",
      );
    }
  });

  it.each(["src/a.ts", ".gitignore", ".github/x.yml", ".claude/notes.md", "permissions/a"])(
    "allows %j",
    (path) => {
      expect(pathEffect([], "Write", path, { workspace, mode: "accept-edits" })).toBe("allow");
    },
  );

  it("leaves such a file to an allow that somebody wrote, and to a deny", () => {
    const options = { workspace, mode: "accept-edits" } as const;
    expect(pathEffect([allow("Write(.git/info/**)")], "Write", ".git/info/exclude", options)).toBe("allow");
    expect(pathEffect([deny("Write(.git/**)")], "Write", ".git/config", options)).toBe("deny");
  });
});

describe("a copy or move into a folder", () => {
  const rules = [allow("Copy"), allow("Move"), deny("Write(.env)"), deny("Write(out/k)")];
  const effect = (tool: string, source: string, destination: string) =>
    evaluateRules({ workspace, rules, call: { tool, input: { source, destination } } }).effect;

  it.each([
    ["/tmp/.env", "."],
    ["/tmp/.env", "/w/"],
    ["/tmp/.env/", "src/.."],
    ["/tmp/k", "out"],
    ["src/../k", "out/"],
  ])("from %j to %j is judged by where it comes to lie", (source, destination) => {
    for (const tool of ["Copy", "Move"]) expect(effect(tool, source, destination)).toBe("deny");
  });

  it("is free where that is", () => {
    for (const tool of ["Copy", "Move"]) expect(effect(tool, "/tmp/a", "out")).toBe("allow");
  });
});

describe("the flag of a floored allow", () => {
  const rules = [allow("Bash"), allow("Write")];
  const flag = (command: string) => decideBash(rules, command, { workspace }).flooredConfiguredAllow;

  it("is set in the folder that the line starts in", () => {
    expect(flag("git commit -m $(date)")).toBe(true);
  });

  it.each([
    "cd /other && git commit -m $(date)",
    "cd sub && git commit -m $(date)",
    "pushd /other && git commit -m $(date)",
    "builtin cd /other && git commit -m $(date)",
    "env -C /other git commit -m $(date)",
    "env --chdir=/other git commit -m $(date)",
    "(cd /other; git commit -m $(date))",
  ])("is not set for %j, which leaves it", (command) => {
    expect(decideBash(rules, command, { workspace })).toMatchObject({
      effect: "ask",
      flooredConfiguredAllow: false,
    });
  });
});
