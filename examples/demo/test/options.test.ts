import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROGRAM, runDemo, SHIPPED, sessionOf, temporaryFolder } from "./support/run-demo.js";

describe("--dry-run", () => {
  it("tells every verdict and makes nothing, the workspace included", async () => {
    const folder = temporaryFolder();
    const { code, stdout, rows } = await runDemo(["--dry-run"], { TMPDIR: folder });
    expect(code).toBe(0);
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      ...["allow", "allow", "allow", "allow", "allow", "ask", "ask", "ask", "ask", "allow", "ask"],
      ...["allow_modified", "deny", "ask", "ask", "ask", "allow"],
    ]);
    expect(stdout).toContain("Nothing was asked, run or written.");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("sees the grants of a workspace that is there, and changes nothing in it", async () => {
    const workspace = temporaryFolder();
    await runDemo(["--workspace", workspace]);
    const before = readFileSync(join(workspace, "ledger.jsonl"), "utf8");
    const { rows } = await runDemo(["--", "--dry-run", "--workspace", workspace]);
    expect(rows.find(({ call }) => call === "node --version")?.source).toMatch(/^grant /);
    expect(readFileSync(join(workspace, "ledger.jsonl"), "utf8")).toBe(before);
  });

  it("says of arguments that no tool takes what a real run says, malformed text of a model included", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "session.json");
    const call = (id: string, text: string) => ({ id, function: { name: "read", arguments: text } });
    const deep = `${'{"path":'.repeat(600)}1${"}".repeat(600)}`;
    const texts = ["{not json", '{"path":', '{"file":"x"}', '{"path":12345678901234567890}', "7", deep];
    const toolCalls = texts.map((text, index) => call(`call_${index}`, text));
    writeFileSync(file, JSON.stringify({ messages: [{ role: "assistant", tool_calls: toolCalls }] }));
    const dry = await runDemo(["--dry-run", "--transcript", file, "--workspace", join(folder, "w")]);
    const real = await runDemo(["--transcript", file, "--workspace", join(folder, "w")]);
    expect(real.code).toBe(0);
    expect(dry.rows).toEqual(real.rows);
    expect(real.rows).toMatchObject([
      { verdict: "invalid", source: "-", told: expect.stringContaining("do not parse") },
      { verdict: "invalid", source: "-", told: expect.stringContaining("do not parse") },
      { verdict: "invalid", source: "-", told: expect.stringContaining("path") },
      { verdict: "invalid", source: "-", told: expect.stringContaining("cannot be represented exactly") },
      { verdict: "invalid", source: "-", told: expect.stringContaining("Invalid input for tool 'read'") },
      { verdict: "invalid" },
    ]);
  });

  it("says of an input that is no JSON value what a real run says", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "session.json");
    const block = '{"type":"tool_use","id":"t","name":"read","input":{"path":"\\ud800"}}';
    writeFileSync(file, `[{"role":"assistant","content":[${block}]}]`);
    const args = ["--transcript", file, "--workspace", join(folder, "w")];
    const dry = await runDemo(["--dry-run", ...args]);
    expect(dry.rows).toMatchObject([{ verdict: "deny", source: "engine" }]);
    expect((await runDemo(args)).rows).toEqual(dry.rows);
  });

  it("counts one call as one", async () => {
    const session = sessionOf(temporaryFolder(), [{ name: "list", input: {} }]);
    const { stdout } = await runDemo(["--dry-run", "--transcript", session]);
    expect(stdout).toContain("(1 call)\n");
    expect(stdout).toContain("\n1 call: 1 allow; 0 answered by a grant\n");
  });
});

describe("--yes and --no", () => {
  it("answer everything so and remember nothing", async () => {
    const workspace = temporaryFolder();
    const no = await runDemo(["--workspace", workspace, "--no"]);
    expect(no.rows.filter(({ verdict }) => verdict === "ask_denied")).toHaveLength(8);
    const yes = await runDemo(["--workspace", workspace, "--yes"]);
    expect(yes.rows.filter(({ verdict }) => verdict === "ask_allowed")).toHaveLength(8);
    expect(yes.rows.find(({ tool }) => tool === "shell")?.told).toContain("approved (--yes)");
    expect(existsSync(join(workspace, "project/data"))).toBe(false);
    expect(existsSync(join(workspace, "grants"))).toBe(false);
  });
});

describe("the workspace", () => {
  it("is by default a fixed folder below the temporary directory, another one for transcripts that are not ours", async () => {
    const folder = temporaryFolder();
    const session = sessionOf(folder, [{ name: "list", input: {} }]);
    await runDemo([], { TMPDIR: folder });
    await runDemo(["--transcript", session], { TMPDIR: folder });
    const user = process.getuid?.() ?? "user";
    expect(readdirSync(folder).sort()).toEqual([
      `permission-gate-demo-${user}`,
      `permission-gate-demo-${user}-others`,
      "session.json",
    ]);
  });

  it("is refused where somebody else could have put it there", async () => {
    const folder = temporaryFolder();
    const name = join(folder, `permission-gate-demo-${process.getuid?.() ?? "user"}`);
    symlinkSync(temporaryFolder(), name);
    const { code, stderr } = await runDemo([], { TMPDIR: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^demo: .* is not yours alone to write to; .*\n$/);

    const open = temporaryFolder();
    const wide = join(open, `permission-gate-demo-${process.getuid?.() ?? "user"}`);
    mkdirSync(wide);
    chmodSync(wide, 0o777);
    expect((await runDemo([], { TMPDIR: open })).code).toBe(2);
  });

  it("is made whole once when several runs begin at the same time, and loses no line of the ledger", async () => {
    const workspace = join(temporaryFolder(), "w");
    const runs = await Promise.all([1, 2, 3].map(() => runDemo(["--workspace", workspace])));
    for (const { code, stderr, rows } of runs) {
      expect({ code, stderr, count: rows.length }).toEqual({ code: 0, stderr: "", count: 17 });
    }
    // Each run that another one overlaps has a ledger file of its own.
    const isLedger = (name: string) => /^ledger(\.w[23])?\.jsonl$/.test(name);
    const names = readdirSync(workspace);
    expect(names.filter((name) => !isLedger(name)).sort()).toEqual([
      ".permission-gate-demo",
      "grants",
      "project",
    ]);
    const results = names
      .filter(isLedger)
      .flatMap((name) => readFileSync(join(workspace, name), "utf8").trimEnd().split("\n"))
      .filter((line) => (JSON.parse(line) as { type: string }).type === "tool.result");
    expect(results).toHaveLength(3 * 17);
    const { rows } = await runDemo(["--workspace", workspace]);
    expect(rows.filter(({ told }) => told.includes("failed"))).toEqual([]);
  });
});

describe("damaged grants", () => {
  it("have every call asked about, and approved only where the question shows what it is about", async () => {
    const workspace = temporaryFolder();
    await runDemo(["--workspace", workspace]);
    const [project = ""] = readdirSync(join(workspace, "grants/projects"));
    writeFileSync(join(workspace, "grants/projects", project, "grants.json"), "[{");
    const { code, stdout, stderr, rows } = await runDemo(["--workspace", workspace]);
    expect(code).toBe(0);
    const approved = rows.filter(({ verdict }) => verdict === "ask_allowed").map(({ tool }) => tool);
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(
      new Set(["ask_denied", "deny", "ask_allowed"]),
    );
    expect(new Set(approved)).toEqual(new Set(["shell", "edit"]));
    expect(stdout).toMatch(/They cannot be read: .* is damaged at line 1/);
    expect(stderr).toContain("! Remembered decisions could not be read for tool 'shell'");
  });
});

describe("output", () => {
  it("ends quietly when nobody reads on, as in `demo | head -1`", async () => {
    const command = `'${process.execPath}' '${PROGRAM}' --workspace '${temporaryFolder()}' | head -1`;
    const child = spawn("bash", ["-o", "pipefail", "-c", command], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, output }).toEqual({
      code: 0,
      output: "Permission Gate: a recorded agent session, replayed through the gate\n",
    });
  });

  it("ends with 130 and a complete ledger when it is interrupted in a command", async () => {
    const folder = temporaryFolder();
    const session = sessionOf(folder, [
      { name: "shell", input: { command: "touch started; sleep 30; touch ended" } },
      { name: "list", input: {} },
    ]);
    const workspace = join(folder, "w");
    const child = spawn(process.execPath, [
      PROGRAM,
      "--yes",
      "--transcript",
      session,
      "--workspace",
      workspace,
    ]);
    const ended = new Promise((resolve) => child.on("close", resolve));
    const begun = join(workspace, "project/started");
    await expect.poll(() => existsSync(begun) || child.exitCode !== null, { timeout: 15_000 }).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const types = readFileSync(join(workspace, "ledger.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(["tool.call", "ask.parked", "gate.decision", "tool.result"]);
  });

  it("--help tells the options, what --yes means, and how to stop the whole run", async () => {
    const { code, stdout } = await runDemo(["--help"]);
    expect(code).toBe(0);
    for (const option of ["transcript", "workspace", "dry-run", "yes", "no", "shell-description"]) {
      expect(stdout).toContain(`--${option}`);
    }
    expect(stdout).toContain("--yes runs every command of a transcript");
    expect(stdout).toContain("To stop the whole run, press Ctrl-C while no question is on screen");
  });

  it("works with input and HOME closed to it", async () => {
    const command = `exec '${process.execPath}' '${PROGRAM}' --workspace '${temporaryFolder()}' --transcript '${SHIPPED.openai}' <&-`;
    const child = spawn("sh", ["-c", command], { env: { PATH: process.env["PATH"], HOME: "/nonexistent" } });
    child.stdout.resume();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  });
});
