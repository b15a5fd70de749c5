import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.js";

const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
const { bin } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
  bin: { [name: string]: string };
};

const program = join(packageFolder, bin["policy-check"] ?? "none");

/** Runs the command as a shell would, on the built package. */
function run(folder: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("the command policy-check", () => {
  it("exits with 0 where there are no problems, and says how many rules there are", () => {
    const folder = temporaryFolder({
      "a.yaml": "permissions:\n  deny: [Shell(rm *)]\n  allow: [Read]\n",
      "b.json": '{"permissions": {}} // none',
    });
    expect(run(folder, "a.yaml", "b.json")).toEqual({
      status: 0,
      stdout: "a.yaml: no problems in 2 rules\nb.json: no problems in 0 rules\n",
      stderr: "",
    });
  });

  it("exits with 1 and prints each problem as file:line:column with its text and what to do", () => {
    const folder = temporaryFolder({
      "a.yaml": "permissions:\n  allow:\n    - Shell(ls\n  denny: [Shell]\n",
      "good.yaml": "permissions: {}",
    });
    const { status, stdout, stderr } = run(folder, "a.yaml", "good.yaml");
    expect(status).toBe(1);
    expect(stderr).toBe("");
    expect(stdout).toBe(
      [
        "a.yaml:4:3 denny",
        "    is an unknown key, only allow, ask, deny and subagent stand here: correct or remove it. Until then everything asks.",
        "a.yaml:3:7 Shell(ls",
        "    is no rule: write Tool or Tool(pattern). It allows nothing.",
        "good.yaml: no problems in 0 rules",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["does not exist", "none.yaml"],
    ["is a folder", "."],
  ])("exits with 1 for a file that %s", (_, name) => {
    const { status, stdout } = run(temporaryFolder(), name);
    expect(status).toBe(1);
    expect(stdout).toContain(name);
  });

  it.skipIf(process.platform === "win32")("exits with 1 for a file that its user may not read", () => {
    const folder = temporaryFolder({ "a.yaml": "permissions: {}" });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "a.yaml"), 0o000);
    // The superuser may read everything: then somebody else tries.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stdout } = spawnSync(program, ["a.yaml"], { cwd: folder, encoding: "utf8", ...user });
    expect(status).toBe(1);
    expect(stdout).toContain("cannot be read, mend or remove it: EACCES");
  });

  it("reads Claude settings as such", () => {
    const folder = temporaryFolder({ ".claude/settings.json": '{"permissions": {"deny": ["Bash(rm:*)"]}}' });
    expect(run(folder, ".claude/settings.json").status).toBe(0);
    expect(run(join(folder, ".claude"), "settings.json").stdout).toBe(
      "settings.json: no problems in 1 rules\n",
    );
  });

  it("reports rules about unknown tools, among which are the host's own until they are told", () => {
    const folder = temporaryFolder({ "a.yaml": "permissions:\n  deny:\n    - Raed\n    - deploy(x)\n" });
    const untold = run(folder, "a.yaml");
    expect(untold.status).toBe(1);
    expect(untold.stdout).toContain("a.yaml:3:7 Raed");
    expect(untold.stdout).toContain("a.yaml:4:7 deploy(x)");
    const { status, stdout } = run(folder, "--tool", "deploy", "a.yaml");
    expect(status).toBe(1);
    expect(stdout).toContain("a.yaml:3:7 Raed");
    expect(stdout).not.toContain("deploy");
  });

  it("knows the tools of Claude in its settings, whether the host has them or not, and no others", () => {
    const deny = ["Task", "LS", "MultiEdit", "TodoWrite", "NotebookEdit(x)", "Lz"];
    const folder = temporaryFolder({
      ".claude/settings.json": JSON.stringify({ permissions: { deny } }),
      "a.yaml": "permissions: { deny: [TodoWrite] }",
    });
    for (const options of [[], ["--tool", "deploy"]]) {
      const { status, stdout } = run(folder, ...options, ".claude/settings.json");
      expect(status).toBe(1);
      expect(stdout.match(/^\S+:\d+:\d+ .*$/gm)).toEqual([".claude/settings.json:1:79 Lz"]);
      expect(run(folder, ...options, "a.yaml").stdout).toContain("a.yaml:1:23 TodoWrite");
    }
  });

  it("exits with 2 and shows its usage on standard error where it is called wrongly", () => {
    const folder = temporaryFolder({ "a.yaml": "permissions: {}" });
    for (const args of [[], ["--unknown", "a.yaml"], ["--tool"]]) {
      const { status, stdout, stderr } = run(folder, ...args);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("Usage: policy-check");
    }
  });

  it("shows its usage where asked", () => {
    const { status, stdout } = run(temporaryFolder(), "--help");
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: policy-check [--tool NAME]... FILE...");
  });

  it("prints nothing of a file that the terminal would obey", () => {
    const folder = temporaryFolder({
      "a\u001b[2J.yaml": '{"permissions": {"allow": ["\u001b]0;x\u0007"], "\u009b2J": 1}}',
    });
    const { status, stdout } = run(folder, "a\u001b[2J.yaml");
    expect(status).toBe(1);
    expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});
