import { renameSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceReader } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { nodeWorkspace, ProjectRuleResolver } from "../../src/config/index.js";
import { lines } from "./support/rules-of.js";
import { scriptedWorkspace } from "./support/scripted-workspace.js";
import { temporaryFolder, writeIn } from "./support/temporary-folder.js";

const SETTINGS = ".permissions/settings.yaml";
const deny = (tool: string) => `permissions: { deny: [${tool}] }`;

describe("project files that change", () => {
  it("holds in the very next resolve, and gives the same object as long as nothing changes", () => {
    const folder = temporaryFolder({ [SETTINGS]: deny("A") });
    const workspace = nodeWorkspace(folder);
    const resolver = new ProjectRuleResolver({ userConfigDir: null });
    const first = resolver.resolve(workspace);
    expect(lines(first)).toEqual(["deny all A"]);
    expect(resolver.resolve(workspace)).toBe(first);
    writeIn(folder, SETTINGS, deny("B"));
    const second = resolver.resolve(workspace);
    expect(lines(second)).toEqual(["deny all B"]);
    expect(resolver.resolve(workspace)).toBe(second);
  });

  it("are read as options say that are accessors of a class", () => {
    const folder = temporaryFolder({ ".claude/settings.json": '{"permissions": {"deny": ["Bash"]}}' });
    class Settings {
      readonly userConfigDir = null;
      readonly homeDir = folder;
      readonly readFile = () => null;
      get claudeSettings() {
        return true;
      }
    }
    const resolver = new ProjectRuleResolver(new Settings());
    expect(lines(resolver.resolve(nodeWorkspace(folder)))).toEqual(["deny all Bash"]);
  });

  it("sees a file that comes, goes, and comes by another ending", () => {
    const folder = temporaryFolder();
    const workspace = nodeWorkspace(folder);
    const resolver = new ProjectRuleResolver({ userConfigDir: null });
    expect(lines(resolver.resolve(workspace))).toEqual([]);
    const path = writeIn(folder, SETTINGS, deny("A"));
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all A"]);
    unlinkSync(path);
    expect(lines(resolver.resolve(workspace))).toEqual([]);
    writeIn(folder, ".permissions/settings.local.json", '{"permissions": {"deny": ["B"]}}');
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all B"]);
    rmSync(join(folder, ".permissions"), { recursive: true });
    expect(lines(resolver.resolve(workspace))).toEqual([]);
  });

  it("sees every one of many rewrites in place, of one size and within one second", () => {
    const folder = temporaryFolder({ [SETTINGS]: deny("A0000") });
    const workspace = nodeWorkspace(folder);
    const resolver = new ProjectRuleResolver({ userConfigDir: null });
    for (let round = 0; round < 500; round++) {
      const tool = `A${String(round).padStart(4, "0")}`;
      writeIn(folder, SETTINGS, deny(tool));
      expect(lines(resolver.resolve(workspace))).toEqual([`deny all ${tool}`]);
    }
  });

  describe.each([
    ["new", 0],
    ["old", 3_600_000],
  ])("where the file is %s", (_, age) => {
    it.each([
      [
        "rewritten in place with its size and times kept",
        (path: string) => {
          const { atime, mtime } = statSync(path);
          writeFileSync(path, deny("B"));
          utimesSync(path, atime, mtime);
        },
      ],
      [
        "replaced by another of the same size and times",
        (path: string) => {
          const { atime, mtime } = statSync(path);
          writeFileSync(`${path}.new`, deny("B"));
          utimesSync(`${path}.new`, atime, mtime);
          renameSync(`${path}.new`, path);
        },
      ],
      [
        "replaced by a link to another",
        (path: string) => {
          writeFileSync(`${path}.other`, deny("B"));
          unlinkSync(path);
          symlinkSync(`${path}.other`, path);
        },
      ],
    ])("sees it %s", (_, change) => {
      const folder = temporaryFolder({ [SETTINGS]: deny("A") });
      const workspace = nodeWorkspace(folder);
      const clock = new ManualClock(Date.now() + age);
      const resolver = new ProjectRuleResolver({ userConfigDir: null, clock });
      expect(lines(resolver.resolve(workspace))).toEqual(["deny all A"]);
      change(join(folder, SETTINGS));
      expect(lines(resolver.resolve(workspace))).toEqual(["deny all B"]);
    });
  });

  it("sees a link led to another file of the same text size", () => {
    const folder = temporaryFolder({ ".permissions/a.yaml": deny("A"), ".permissions/b.yaml": deny("B") });
    symlinkSync("a.yaml", join(folder, SETTINGS));
    const clock = new ManualClock(Date.now() + 3_600_000);
    const resolver = new ProjectRuleResolver({ userConfigDir: null, clock });
    const workspace = nodeWorkspace(folder);
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all A"]);
    unlinkSync(join(folder, SETTINGS));
    symlinkSync("b.yaml", join(folder, SETTINGS));
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all B"]);
  });

  it("sees a change in a workspace whose stamps never do", () => {
    const workspace = scriptedWorkspace({ "/w/.permissions/settings.yaml": deny("A") });
    workspace.realPath = (path) => (workspace.files.has(path) ? path : null);
    const resolver = new ProjectRuleResolver({ userConfigDir: null });
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all A"]);
    workspace.files.set("/w/.permissions/settings.yaml", deny("B"));
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all B"]);
    workspace.files.delete("/w/.permissions/settings.yaml");
    expect(lines(resolver.resolve(workspace))).toEqual([]);
  });

  it("never gives half of a file that is rewritten while it looks", () => {
    const folder = temporaryFolder({ [SETTINGS]: deny("A") });
    const inner = nodeWorkspace(folder);
    const rewritten: { texts: string[] } = { texts: [deny("B"), "", deny("C"), deny("A")] };
    const workspace: WorkspaceReader = {
      ...inner,
      readText(path) {
        const found = inner.readText(path);
        const next = path.endsWith("settings.yaml") ? rewritten.texts.shift() : undefined;
        if (next !== undefined) writeFileSync(path, next);
        return found;
      },
    };
    const clock = new ManualClock(Date.now() + 3_600_000);
    const resolver = new ProjectRuleResolver({ userConfigDir: null, clock });
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all A"]);
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all B"]);
    expect(resolver.resolve(workspace).failClosed).toContain("is empty");
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all C"]);
    expect(lines(resolver.resolve(workspace))).toEqual(["deny all A"]);
  });
});

describe("how often files are read", () => {
  it("reads a file of the disk that is old no second time until it changes", () => {
    const folder = temporaryFolder({ [SETTINGS]: deny("A") });
    const { workspace, reads } = counted(nodeWorkspace(folder));
    const clock = new ManualClock(Date.now() + 3_600_000);
    const resolver = new ProjectRuleResolver({ userConfigDir: null, clock });
    for (let round = 0; round < 10; round++) resolver.resolve(workspace);
    expect(reads()).toBe(1);
    writeIn(folder, SETTINGS, deny("B"));
    for (let round = 0; round < 10; round++) resolver.resolve(workspace);
    expect(reads()).toBe(2);
  });

  it("reads a file that was changed within the last two seconds every time, then once more", () => {
    const folder = temporaryFolder({ [SETTINGS]: deny("A") });
    const { workspace, reads } = counted(nodeWorkspace(folder));
    const clock = new ManualClock(Math.floor(statSync(join(folder, SETTINGS)).ctimeMs));
    const resolver = new ProjectRuleResolver({ userConfigDir: null, clock });
    for (let round = 0; round < 10; round++) resolver.resolve(workspace);
    expect(reads()).toBe(10);
    clock.advance(2_001);
    for (let round = 0; round < 10; round++) resolver.resolve(workspace);
    expect(reads()).toBe(11);
  });

  it("reads the files of machine, command line and user once, before any call", () => {
    const folder = temporaryFolder({
      "m.yaml": deny("M"),
      "c.yaml": deny("C"),
      "permissions/settings.yaml": deny("U"),
    });
    const resolver = new ProjectRuleResolver({
      managed: [join(folder, "m.yaml")],
      cli: [join(folder, "c.yaml")],
      userConfigDir: folder,
    });
    for (const name of ["m.yaml", "c.yaml", "permissions/settings.yaml"]) writeIn(folder, name, deny("X"));
    const all = ["deny all M", "deny all C", "deny all U"];
    expect(lines(resolver.resolve(undefined))).toEqual(all);
    expect(resolver.resolve(undefined)).toBe(resolver.resolve(undefined));
    expect(lines(resolver.resolve(nodeWorkspace(folder)))).toEqual(all);
  });
});

describe("a project file that cannot be trusted", () => {
  it("fails closed at once, says why, and opens again when it is mended", () => {
    const folder = temporaryFolder({ [SETTINGS]: deny("A"), "permissions/settings.yaml": deny("U") });
    const workspace = nodeWorkspace(folder);
    const resolver = new ProjectRuleResolver({ userConfigDir: folder, knownTools: ["A", "B", "U"] });
    expect(resolver.resolve(workspace).failClosed).toBeNull();
    for (const broken of [
      "permissions: [",
      "permissions: { denny: [A] }",
      "permissions: {}\npermissions: {}",
      "\0",
      "",
    ]) {
      writeIn(folder, SETTINGS, broken);
      const closed = resolver.resolve(workspace);
      expect(closed.failClosed).toContain(join(folder, SETTINGS));
      expect(closed.problems).toHaveLength(1);
      expect(lines(closed)).toContain("deny all U");
      expect(resolver.resolve(workspace)).toBe(closed);
      writeIn(folder, SETTINGS, deny("B"));
      expect(resolver.resolve(workspace)).toMatchObject({ problems: [], failClosed: null });
    }
  });

  it("closes while reading fails, and opens when it succeeds", () => {
    const path = "/w/.permissions/settings.local.json";
    const workspace = scriptedWorkspace({ [path]: new Error("EACCES: permission denied") });
    const resolver = new ProjectRuleResolver({ userConfigDir: null });
    const closed = resolver.resolve(workspace);
    expect(closed.failClosed).toContain("EACCES");
    expect(resolver.resolve(workspace)).toBe(closed);
    workspace.files.set(path, new Error("EIO: input/output error"));
    expect(resolver.resolve(workspace).failClosed).toContain("EIO");
    workspace.files.set(path, '{"permissions": {"deny": ["A"]}}');
    expect(resolver.resolve(workspace)).toMatchObject({ failClosed: null, rules: [{ tool: "A" }] });
  });

  it("closes for its own workspace only", () => {
    const resolver = new ProjectRuleResolver({ userConfigDir: null });
    const broken = nodeWorkspace(temporaryFolder({ [SETTINGS]: "{" }));
    const sound = nodeWorkspace(temporaryFolder({ [SETTINGS]: deny("A") }));
    expect(resolver.resolve(broken).failClosed).not.toBeNull();
    expect(resolver.resolve(sound).failClosed).toBeNull();
    expect(resolver.resolve(undefined).failClosed).toBeNull();
  });

  it("stays closed where a user's file is broken, whatever the project says", () => {
    const folder = temporaryFolder({ "permissions/settings.yaml": "{", [SETTINGS]: deny("A") });
    const resolver = new ProjectRuleResolver({ userConfigDir: folder });
    writeIn(folder, "permissions/settings.yaml", "permissions: {}");
    expect(resolver.resolve(nodeWorkspace(folder)).failClosed).not.toBeNull();
    expect(resolver.resolve(undefined).failClosed).not.toBeNull();
  });
});

it("answers without a promise, the first time as well", () => {
  const resolver = new ProjectRuleResolver({ userConfigDir: null });
  expect(resolver.resolve(nodeWorkspace(temporaryFolder()))).not.toHaveProperty("then");
});

function counted(inner: WorkspaceReader): { workspace: WorkspaceReader; reads: () => number } {
  let count = 0;
  const readText: WorkspaceReader["readText"] = (path) => {
    count += 1;
    return inner.readText(path);
  };
  return { workspace: { ...inner, readText }, reads: () => count };
}
