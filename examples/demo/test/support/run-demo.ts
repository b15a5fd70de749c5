import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The built program: the tests run what a user runs. */
export const PROGRAM = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export const SHIPPED = {
  anthropic: fileURLToPath(new URL("../../../transcripts/anthropic-session.json", import.meta.url)),
  openai: fileURLToPath(new URL("../../../transcripts/openai-session.json", import.meta.url)),
};

/** One line about one call, by its columns. */
export interface CallRow {
  tool: string;
  call: string;
  verdict: string;
  source: string;
  digest: string;
  told: string;
}

export interface DemoRun {
  code: number | null;
  stdout: string;
  stderr: string;
  rows: CallRow[];
}

/** Runs the program without a terminal and with nothing to read, as CI does. */
export function runDemo(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<DemoRun> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr, rows: rowsOf(stdout) }));
  });
}

export function rowsOf(stdout: string): CallRow[] {
  const lines = stdout.split(/\r?\n/).filter((line) => /^ *\d+ {2}\S/.test(line));
  return lines.map((line) => {
    const cell = (start: number, end?: number) => line.slice(start, end).trim();
    return {
      tool: cell(5, 11),
      call: cell(13, 45),
      verdict: cell(47, 61),
      source: cell(63, 85),
      digest: cell(87, 103),
      told: cell(105),
    };
  });
}

/** A folder of this test's own, gone after it. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "demo-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A session of these calls, in Anthropic's form; the file is in `folder`. */
export function sessionOf(
  folder: string,
  calls: readonly { id?: string; name: string; input: unknown }[],
  name = "session.json",
): string {
  const content = calls.map(({ id, name: tool, input }, index) => ({
    type: "tool_use",
    id: id ?? `toolu_${index}`,
    name: tool,
    input,
  }));
  const file = join(folder, name);
  writeFileSync(
    file,
    JSON.stringify([
      { role: "user", content: "go" },
      { role: "assistant", content },
    ]),
  );
  return file;
}
