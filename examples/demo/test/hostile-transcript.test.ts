import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runDemo, SHIPPED, sessionOf, temporaryFolder } from "./support/run-demo.js";

const ESCAPE = "\u001b";

/** A workspace that is there already, beside a folder with a secret. */
async function prepared(): Promise<{ folder: string; workspace: string; project: string; outside: string }> {
  const folder = temporaryFolder();
  const workspace = join(folder, "w");
  await runDemo(["--workspace", workspace, "--transcript", sessionOf(folder, [{ name: "list", input: {} }])]);
  const outside = join(folder, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "the secret");
  return { folder, workspace, project: join(workspace, "project"), outside };
}

describe("a transcript of somebody else", () => {
  it("writes, edits and reads nothing outside, by dots, roots, links or a container's path, even with --yes", async () => {
    const { folder, workspace, project, outside } = await prepared();
    symlinkSync(outside, join(project, "link"));
    symlinkSync(join(outside, "new.txt"), join(project, "dangling"));
    symlinkSync("loop", join(project, "loop"));
    symlinkSync(join(outside, "secret.txt"), join(project, "secret"));
    const paths = [
      ...[
        "../../outside/new.txt",
        `${outside}/new.txt`,
        "link/new.txt",
        "link/deep/new.txt",
        "dangling",
        "loop",
      ],
      ...["secret", "notes/../../../outside/new.txt", `/app/${outside}/new.txt`, "/app/../outside/new.txt"],
      ...[
        "/app/link/new.txt",
        "../ledger.jsonl",
        "../grants/projects/x/grants.json",
        "nul\0/x",
        "link/../../x",
      ],
    ];
    const calls = paths.flatMap((path) => [
      { name: "write", input: { path, content: "x" } },
      { name: "edit", input: { path, old: "the secret", new: "x" } },
      { name: "read", input: { path } },
      { name: "grep", input: { path, text: "secret" } },
      { name: "list", input: { path } },
    ]);
    const session = sessionOf(folder, calls);
    const { code, rows, stdout } = await runDemo([
      "--yes",
      "--workspace",
      workspace,
      "--transcript",
      session,
    ]);
    expect(code).toBe(0);
    expect(rows).toHaveLength(calls.length);
    for (const row of rows)
      expect(row).toMatchObject({ verdict: "deny", told: "the path leads outside the project" });
    expect(stdout).not.toContain("the secret");
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("the secret");
    expect(readdirSync(workspace).sort()).toEqual([
      ...[".other-transcripts", ".permission-gate-demo", "ledger.jsonl", "project"],
    ]);
  });

  it("finds nothing behind links when it greps, and is not held up by a pipe", async () => {
    const { folder, workspace, project, outside } = await prepared();
    symlinkSync(outside, join(project, "link"));
    execFileSync("mkfifo", [join(project, "pipe")]);
    const session = sessionOf(folder, [
      { name: "grep", input: { text: "the secret" } },
      { name: "read", input: { path: "pipe" } },
      { name: "read", input: { path: "src" } },
    ]);
    const { rows } = await runDemo(["--workspace", workspace, "--transcript", session]);
    expect(rows).toMatchObject([
      { told: expect.stringMatching(/^0 matches/) },
      { told: expect.stringContaining("not a regular file") },
      { told: expect.stringContaining("failed") },
    ]);
  });

  it("replaces no file that is there without an approval", async () => {
    const { folder, workspace, project } = await prepared();
    const session = sessionOf(folder, [
      { name: "write", input: { path: "src/store.js", content: "x" } },
      { name: "write", input: { path: "/app/src/store.js", content: "x" } },
    ]);
    const { rows } = await runDemo(["--workspace", workspace, "--transcript", session]);
    expect(rows.map(({ verdict }) => verdict)).toEqual(["ask_denied", "deny"]);
    expect(readFileSync(join(project, "src/store.js"), "utf8")).toContain("loadItems");
  });

  it("has no command approved by the script, not one of the shipped sessions either", async () => {
    const { folder, workspace } = await prepared();
    const session = sessionOf(folder, [
      { name: "shell", input: { command: "node --version" } },
      { name: "shell", input: { command: "node --test" } },
      { name: "edit", input: { path: "README.md", old: "tiny", new: "huge" } },
    ]);
    const { rows } = await runDemo(["--workspace", workspace, "--transcript", session]);
    for (const row of rows) {
      expect(row).toMatchObject({
        verdict: "ask_denied",
        told: expect.stringContaining("not one of the shipped"),
      });
    }
  });

  it("leaves a workspace in which the script then approves nothing for the shipped sessions", async () => {
    const { workspace } = await prepared();
    const { rows } = await runDemo(["--workspace", workspace, "--transcript", SHIPPED.anthropic]);
    expect(rows.filter(({ verdict }) => verdict === "ask_allowed")).toEqual([]);
    expect(rows.find(({ call }) => call === "node --test")?.told).toContain("another transcript has written");
  });

  it("cannot write to the terminal: not by paths, commands, ids, tool names or output", async () => {
    const folder = temporaryFolder();
    const nasty = `${ESCAPE}[2J\r\u202e\u009b31m\n  1  read`;
    const session = sessionOf(folder, [
      { id: `id${nasty}`, name: "read", input: { path: nasty } },
      { name: "write", input: { path: "fine.txt", content: nasty } },
      { name: "shell", input: { command: `printf '\\033[2J\\233'; : '${nasty}'` } },
      { name: "read", input: { [nasty]: nasty } },
      { name: "read", input: nasty },
    ]);
    const workspace = join(folder, "w");
    const run = await runDemo(["--yes", "--workspace", workspace, "--transcript", session]);
    const unknown = await runDemo([
      ...["--workspace", workspace, "--transcript"],
      sessionOf(folder, [{ id: nasty, name: nasty, input: {} }], "unknown.json"),
    ]);
    expect(unknown.code).toBe(2);
    expect(run.rows).toHaveLength(5);
    for (const text of [run.stdout, run.stderr, unknown.stderr]) {
      expect(text).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
    }
    expect(unknown.stderr.split("\n")).toHaveLength(2);
  });

  it("gets arguments of a megabyte refused, each in one short line", async () => {
    const folder = temporaryFolder();
    const large = "x".repeat(1_000_000);
    const session = sessionOf(folder, [
      { name: "write", input: { path: "large.txt", content: large } },
      { name: "read", input: { path: large } },
      { name: "shell", input: { command: large } },
      { name: "edit", input: { path: "README.md", old: large, new: large } },
    ]);
    const { code, rows, stdout } = await runDemo([
      "--yes",
      "--workspace",
      join(folder, "w"),
      "--transcript",
      session,
    ]);
    expect(code).toBe(0);
    expect(rows.map(({ verdict }) => verdict)).toEqual(Array(4).fill("invalid"));
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(300);
  });

  it("gets every call an id of its own in the ledger, though it uses one twice", async () => {
    const folder = temporaryFolder();
    const session = sessionOf(
      folder,
      ["call_0", "call_0", "call_0#2"].map((id) => ({ id, name: "list", input: {} })),
    );
    const { rows } = await runDemo(["--workspace", join(folder, "w"), "--transcript", session]);
    expect(rows).toHaveLength(3);
    const ids = readFileSync(join(folder, "w/ledger.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { call_id: string }).call_id);
    expect(new Set(ids)).toEqual(new Set(["call_0", "call_0#2", "call_0#2#2"]));
  });

  it("gets what is no JSON value, or no value of the schema, refused and goes on", async () => {
    const folder = temporaryFolder();
    const deep = `${'{"path":'.repeat(600)}1${"}".repeat(600)}`;
    const inputs = [
      deep,
      '{"path":"\\ud800"}',
      '{"__proto__":{"path":"README.md"}}',
      "null",
      "[]",
      '{"path":"README.md"}',
    ];
    const blocks = inputs.map(
      (input, index) => `{"type":"tool_use","id":"t${index}","name":"read","input":${input}}`,
    );
    const file = join(folder, "session.json");
    writeFileSync(file, `[{"role":"assistant","content":[${blocks.join(",")}]}]`);
    const { code, rows } = await runDemo(["--workspace", join(folder, "w"), "--transcript", file]);
    expect(code).toBe(0);
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      "deny",
      "deny",
      "invalid",
      "invalid",
      "invalid",
      "allow",
    ]);
  });
});

describe("a shell command", () => {
  it("sees nothing of our environment, has no input, and leaves nothing running", async () => {
    const folder = temporaryFolder();
    // Real time: what the third leaves behind would be seen only by waiting longer than it does.
    const commands = [
      `echo "[$SECRET$NODE_OPTIONS]"`,
      "cat; echo read",
      "(sleep 1; touch late) & echo begun",
      "sleep 1.3; test -e late && echo ran on || echo ended",
      "yes | head -c 1000000",
    ];
    const session = sessionOf(
      folder,
      commands.map((command) => ({ name: "shell", input: { command } })),
    );
    const { rows } = await runDemo(["--yes", "--workspace", join(folder, "w"), "--transcript", session], {
      SECRET: "the secret",
      NODE_OPTIONS: "--no-warnings",
    });
    expect(rows.map(({ told }) => told)).toEqual([
      "approved (--yes); exit 0: []",
      "approved (--yes); exit 0: read",
      "approved (--yes); exit 0: begun",
      "approved (--yes); exit 0: ended",
      expect.stringMatching(/^approved \(--yes\); exit 0, \d+ lines$/),
    ]);
  });
});
