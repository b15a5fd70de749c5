import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryWorkspace } from "@x/permission-core/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadPermissionFiles, nodeWorkspace } from "../../src/config/index.js";
import { lines } from "./support/rules-of.js";
import { scriptedWorkspace } from "./support/scripted-workspace.js";
import { temporaryFolder, writeIn } from "./support/temporary-folder.js";

afterEach(() => vi.unstubAllEnvs());

const deny = (tool: string) => `permissions: { deny: [${tool}] }`;
const allow = (tool: string) => `permissions: { allow: [${tool}] }`;

describe("which files are read", () => {
  it("reads managed, command line, project and user files, the strongest first, with both endings", async () => {
    const folder = temporaryFolder({
      "managed/a.yaml": deny("A"),
      "managed/b.json": '{"permissions": {"deny": ["B"]}}',
      "cli.yaml": deny("C"),
      "project/.permissions/settings.local.yaml": deny("D"),
      "project/.permissions/settings.local.json": '{"permissions": {"deny": ["E"]}}',
      "project/.permissions/settings.yaml": deny("F"),
      "project/.permissions/settings.json": '{"permissions": {"deny": ["G"]}}',
      "user/permissions/settings.yaml": deny("H"),
      "user/permissions/settings.json": '{"permissions": {"deny": ["I"]}}',
    });
    const set = await loadPermissionFiles({
      managed: [
        join(folder, "managed/a.yaml"),
        join(folder, "managed/b.json"),
        join(folder, "managed/none.yaml"),
      ],
      cli: [join(folder, "cli.yaml")],
      userConfigDir: join(folder, "user"),
      workspace: nodeWorkspace(join(folder, "project")),
      knownTools: [..."ABCDEFGHI"],
    });
    expect(set).toMatchObject({ problems: [], failClosed: null });
    expect(set.rules.map(({ scope, tool }) => `${scope} ${tool}`)).toEqual([
      "managed A",
      "managed B",
      "cli C",
      "local-project D",
      "local-project E",
      "shared-project F",
      "shared-project G",
      "user H",
      "user I",
    ]);
    expect(set.rules[5]?.origin).toEqual({
      file: join(folder, "project/.permissions/settings.yaml"),
      line: 1,
    });
  });

  it("is content with none of them", async () => {
    const folder = temporaryFolder();
    const options = {
      userConfigDir: folder,
      workspace: nodeWorkspace(folder),
      managed: [join(folder, "none")],
    };
    expect(await loadPermissionFiles(options)).toEqual({ rules: [], problems: [], failClosed: null });
  });

  it("takes the user's files from XDG_CONFIG_HOME, and none where told so", async () => {
    const folder = temporaryFolder({ "permissions/settings.yaml": deny("A") });
    vi.stubEnv("XDG_CONFIG_HOME", folder);
    expect(lines(await loadPermissionFiles())).toEqual(["deny all A"]);
    expect(lines(await loadPermissionFiles({ userConfigDir: null }))).toEqual([]);
  });

  it("reads the user's files below the home folder where XDG_CONFIG_HOME is none or relative", async () => {
    const folder = temporaryFolder({ ".config/permissions/settings.yaml": deny("A") });
    vi.stubEnv("HOME", folder);
    for (const value of ["", "relative"]) {
      vi.stubEnv("XDG_CONFIG_HOME", value);
      expect(lines(await loadPermissionFiles())).toEqual(["deny all A"]);
    }
  });

  it("reads no project files without a workspace", async () => {
    const folder = temporaryFolder({ ".permissions/settings.yaml": deny("A") });
    expect(lines(await loadPermissionFiles({ userConfigDir: join(folder, "none") }))).toEqual([]);
  });

  it("joins paths as the workspace's platform does", async () => {
    const files = { "C:\\w\\.permissions\\settings.yaml": deny("A") };
    const set = await loadPermissionFiles({
      userConfigDir: null,
      workspace: memoryWorkspace(files, { platform: "win32" }),
    });
    expect(set.rules[0]?.origin?.file).toBe("C:\\w\\.permissions\\settings.yaml");
  });

  it("fails closed where a file named on the command line does not exist", async () => {
    const { failClosed } = await loadPermissionFiles({ cli: ["/nowhere/rules.yaml"], userConfigDir: null });
    expect(failClosed).toBe("/nowhere/rules.yaml does not exist: correct its name, or leave it out");
  });

  it("never replaces a managed file by another that is empty of rules", async () => {
    const folder = temporaryFolder({ "a.yaml": deny("A"), "b.yaml": "permissions: {}" });
    const managed = [join(folder, "a.yaml"), join(folder, "b.yaml")];
    expect(lines(await loadPermissionFiles({ managed, userConfigDir: null }))).toEqual(["deny all A"]);
  });
});

describe("trust in the project", () => {
  const files = {
    ".permissions/settings.yaml":
      "permissions: { allow: [A], ask: [B], deny: [C], subagent: { allow: [D] } }",
    ".permissions/settings.local.yaml": allow("E"),
    ".claude/settings.json": '{"permissions": {"allow": ["F"], "deny": ["G"]}}',
  };

  it("counts its asks and denies, but not its allows", async () => {
    const workspace = nodeWorkspace(temporaryFolder(files));
    const set = await loadPermissionFiles({
      workspace,
      userConfigDir: null,
      readFile: () => null,
      claudeSettings: true,
    });
    expect(lines(set)).toEqual(["deny all C", "ask main B", "deny all G"]);
  });

  it("counts its allows too where it is trusted", async () => {
    const options = { userConfigDir: null, readFile: () => null, claudeSettings: true, trustProject: true };
    const workspace = nodeWorkspace(temporaryFolder(files));
    expect(lines(await loadPermissionFiles({ ...options, workspace }))).toEqual([
      "allow main E",
      "deny all C",
      "ask main B",
      "allow main A",
      "allow subagent D",
      "deny all G",
      "allow main F",
    ]);
  });

  it("still fails closed on its files where it is not trusted", async () => {
    const workspace = nodeWorkspace(
      temporaryFolder({ ".permissions/settings.yaml": "permissions: { x: 1 }" }),
    );
    expect((await loadPermissionFiles({ workspace, userConfigDir: null })).failClosed).toContain(
      "is an unknown key",
    );
  });
});

describe("Claude settings", () => {
  const settings = (tool: string) => `{"permissions": {"deny": ["${tool}"]}}`;

  it("are read of the project, the user and the machine, and only where asked for", async () => {
    const folder = temporaryFolder({
      "project/.claude/settings.json": settings("A"),
      "project/.claude/settings.local.json": settings("B"),
      "home/.claude/settings.json": settings("C"),
    });
    const options = {
      workspace: nodeWorkspace(join(folder, "project")),
      homeDir: join(folder, "home"),
      userConfigDir: null,
      readFile: (path: string) =>
        path === join(folder, "home/.claude/settings.json")
          ? settings("C")
          : /managed-settings\.json$/.test(path)
            ? settings("D")
            : null,
    };
    const set = await loadPermissionFiles({ ...options, claudeSettings: true });
    expect(set.rules.map(({ scope, tool }) => `${scope} ${tool}`)).toEqual([
      "managed D",
      "local-project B",
      "shared-project A",
      "user C",
    ]);
    expect((await loadPermissionFiles(options)).rules).toEqual([]);
  });
});

describe("files that cannot be read", () => {
  it("fails closed and keeps the rules of the others", async () => {
    const folder = temporaryFolder({ "a.yaml": deny("A") });
    mkdirSync(join(folder, "b.yaml"));
    const set = await loadPermissionFiles({
      managed: [join(folder, "a.yaml"), join(folder, "b.yaml")],
      userConfigDir: null,
      knownTools: ["A"],
    });
    expect(lines(set)).toEqual(["deny all A"]);
    expect(set.failClosed).toContain(`${join(folder, "b.yaml")} cannot be read, mend or remove it`);
    expect(set.problems).toMatchObject([{ file: join(folder, "b.yaml") }]);
  });

  it("fails closed where reading is refused, whatever is thrown", async () => {
    const readFile = () => {
      throw "refused";
    };
    const set = await loadPermissionFiles({ managed: ["/etc/a.yaml"], userConfigDir: null, readFile });
    expect(set.failClosed).toBe("/etc/a.yaml cannot be read, mend or remove it: refused");
    const workspace = scriptedWorkspace({ "/w/.permissions/settings.yaml": new Error("EACCES") });
    expect((await loadPermissionFiles({ workspace, userConfigDir: null })).failClosed).toContain("EACCES");
  });

  it.skipIf(process.platform === "win32").each([
    ["a named pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["a device", (path: string) => symlinkSync("/dev/zero", path)],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a loop of links", (path: string) => symlinkSync("settings.yaml", path)],
    ["a link that leads nowhere", (path: string) => symlinkSync("nothing", path)],
    ["binary bytes", (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
    ["UTF-16", (path: string) => writeFileSync(path, Buffer.from("\uFEFFpermissions: {}", "utf16le"))],
    ["a mebibyte", (path: string) => writeFileSync(path, "#".repeat(1_048_577))],
  ])("fails closed and does not hang where a project's file is %s", async (_, make) => {
    const folder = temporaryFolder({ ".permissions/other.yaml": "" });
    make(join(folder, ".permissions", "settings.yaml"));
    const set = await loadPermissionFiles({ workspace: nodeWorkspace(folder), userConfigDir: null });
    expect(set.failClosed).toContain(join(folder, ".permissions", "settings.yaml"));
    const own = await loadPermissionFiles({
      cli: [join(folder, ".permissions/settings.yaml")],
      userConfigDir: null,
    });
    expect(own.failClosed).toContain(join(folder, ".permissions", "settings.yaml"));
  });
});

describe("rules whose tool is unknown", () => {
  it("are reported with file and line, against the host's tools and kinds", async () => {
    const folder = temporaryFolder();
    const path = writeIn(
      folder,
      "a.yaml",
      "permissions:\n  deny:\n    - Raed(x)\n    - deploy(prod)\n    - mcp__git\n    - edit_file\n",
    );
    const options = { cli: [path], userConfigDir: null };
    const known = await loadPermissionFiles({
      ...options,
      knownTools: ["deploy"],
      toolKinds: { edit_file: "Edit" },
    });
    expect(known.rules).toHaveLength(4);
    expect(known.failClosed).toBeNull();
    expect(known.problems).toMatchObject([{ file: path, line: 3, text: "Raed(x)" }]);
    const unknown = await loadPermissionFiles(options);
    expect(unknown).toMatchObject({ failClosed: null, problems: [{ line: 3 }, { line: 4 }, { line: 6 }] });
  });

  it("are reported without knowing the host's tools where only the letter case is wrong", async () => {
    const path = writeIn(temporaryFolder(), "a.yaml", "permissions: { deny: [bash] }");
    const { problems } = await loadPermissionFiles({ cli: [path], userConfigDir: null });
    expect(problems).toMatchObject([{ file: path, line: 1, text: "bash" }]);
  });
});
