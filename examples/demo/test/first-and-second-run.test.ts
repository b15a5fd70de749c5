import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { argsDigest, argsDigestFromText } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { type CallRow, runDemo, SHIPPED, temporaryFolder } from "./support/run-demo.js";

const byCall = (rows: readonly CallRow[], call: string) => rows.filter((row) => row.call === call);

describe("the first run", () => {
  it("lets reads flow, refuses a write outside, rewrites a path, asks about a command, and says why", async () => {
    const workspace = join(temporaryFolder(), "new", "workspace");
    const { code, stdout, stderr, rows } = await runDemo(["--workspace", workspace]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(rows).toHaveLength(17);
    expect(rows.filter(({ tool }) => ["list", "read", "grep"].includes(tool))).toSatisfy((reads: CallRow[]) =>
      reads.every(({ verdict }) => verdict === "allow"),
    );
    expect(byCall(rows, "/etc/profile.d/tiny-todo.sh")).toMatchObject([
      { tool: "write", verdict: "deny", source: "middleware", told: "the path leads outside the project" },
    ]);
    expect(byCall(rows, "/app/notes/clear.md")).toMatchObject([
      { verdict: "allow_modified", told: "notes/clear.md: 4 lines written" },
    ]);
    expect(byCall(rows, "node --version")).toMatchObject([
      {
        verdict: "ask_allowed",
        source: "ask_resolver",
        told: `approved (script); exit 0: ${process.version}`,
      },
    ]);
    expect(byCall(rows, "rm -rf data")).toMatchObject([
      { verdict: "ask_denied", told: "denied by user: data/ is the only copy of the list (script)" },
    ]);
    expect(stdout).toContain(`${workspace} (made just now)`);
  });

  it("does the work: the edits, the new test, the notes, and a test run that passes", async () => {
    const workspace = temporaryFolder();
    const { rows } = await runDemo(["--workspace", workspace]);
    const project = (path: string) => readFileSync(join(workspace, "project", path), "utf8");
    expect(project("src/todo-list.js")).toContain("export function clearItems");
    expect(project("notes/clear.md")).toContain("# clear");
    expect(project("docs/usage.md")).toContain("`todo clear`");
    expect(existsSync(join(workspace, "project/data/todos.json"))).toBe(true);
    expect(byCall(rows, "node --test")[0]?.told).toMatch(/^approved \(script\); exit 0, /);
  });

  it("leaves a private ledger with three lines a call and one a question, no arguments, and names the grants", async () => {
    const workspace = temporaryFolder();
    const { stdout } = await runDemo(["--workspace", workspace]);
    const ledger = join(workspace, "ledger.jsonl");
    const text = readFileSync(ledger, "utf8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; decided_by?: string | null });
    const ofType = (wanted: string) => lines.filter(({ type }) => type === wanted);
    for (const type of ["tool.call", "gate.decision", "tool.result"]) expect(ofType(type)).toHaveLength(17);
    expect(ofType("ask.parked")).toHaveLength(5);
    expect(lines).toHaveLength(56);
    expect(lines.filter(({ decided_by }) => decided_by === "script")).toHaveLength(5);
    expect(text).not.toContain("profile.d");
    expect(statSync(ledger).mode & 0o777).toBe(0o600);
    expect(stdout).toContain(`ledger      ${ledger} (56 lines)`);
    expect(stdout).toContain(`grants      ${join(workspace, "grants")}\n`);
    expect(stdout).toContain('allow exactly shell {"command":"node --version"}, by script');
    expect(stdout).toContain("allow every call of edit, by script");
  });

  it("prints digests of the arguments: of the value for Anthropic, of the text for OpenAI", async () => {
    const [anthropic, openai] = await Promise.all([
      runDemo(["--workspace", temporaryFolder()]),
      runDemo(["--workspace", temporaryFolder(), "--transcript", SHIPPED.openai]),
    ]);
    expect(byCall(anthropic.rows, "node --version")[0]?.digest).toBe(
      argsDigest({ command: "node --version" }),
    );
    expect(openai.rows).toHaveLength(14);
    expect(openai.rows[0]?.digest).toBe(argsDigestFromText("{}"));
    expect(byCall(openai.rows, "npm publish --access public")).toMatchObject([{ verdict: "ask_denied" }]);
    expect(byCall(openai.rows, "/app/notes/format.md")).toMatchObject([{ verdict: "allow_modified" }]);
    expect(openai.rows.filter(({ told }) => told.includes("failed"))).toEqual([]);
  });
});

describe("the second run in the same workspace", () => {
  it("does not ask again what was remembered, asks what was not, and finds its edits made", async () => {
    const workspace = temporaryFolder();
    await runDemo(["--workspace", workspace]);
    const { code, stdout, rows } = await runDemo(["--workspace", workspace]);
    expect(code).toBe(0);
    expect(stdout).toContain("(as an earlier run left it)");
    for (const command of ["node --version", "wc -l src/*.js"]) {
      expect(byCall(rows, command)).toMatchObject([
        { verdict: "allow", source: expect.stringMatching(/^grant [0-9a-f]{16}$/) },
      ]);
    }
    expect(rows.filter(({ verdict }) => verdict === "ask_allowed").map(({ call }) => call)).toEqual([
      "node --test",
    ]);
    const edits = rows.filter(({ tool }) => tool === "edit");
    expect(edits.map(({ told }) => told)).toSatisfy((all: string[]) =>
      all.every((told) => told.endsWith("edited like this already")),
    );
  });

  it("knows a command that the session of the other provider had approved", async () => {
    const workspace = temporaryFolder();
    await runDemo(["--workspace", workspace]);
    const { rows } = await runDemo(["--workspace", workspace, "--transcript", SHIPPED.openai]);
    expect(byCall(rows, "node --version")[0]?.source).toMatch(/^grant /);
    expect(byCall(rows, "node --test")[0]?.told).toMatch(/exit 0/);
  });

  it("asks again, and says why, after the tool's description changed; and then remembers the new one", async () => {
    const workspace = temporaryFolder();
    const changed = ["--workspace", workspace, "--shell-description", "Runs any command anywhere."];
    await runDemo(["--workspace", workspace]);
    const second = await runDemo(changed);
    expect(byCall(second.rows, "node --version")).toMatchObject([
      {
        verdict: "ask_allowed",
        told: expect.stringContaining("[description changed since approved] approved (script)"),
      },
    ]);
    expect(second.rows.find(({ tool }) => tool === "edit")?.source).toMatch(/^grant /);
    const third = await runDemo(changed);
    expect(byCall(third.rows, "node --version")[0]?.source).toMatch(/^grant /);
  });
});
