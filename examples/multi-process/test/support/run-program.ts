import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { until } from "./until.js";

/** The built program: the tests run what a user runs. */
export const PROGRAM: string = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const ROW = /^(worker-\d\/\d) +(\w+) +(\w+) +(\S+(?: \w+)?) +(\w+) +(\d+)$/;

/** A run without a terminal, as in CI, in a process group of its own. */
export class ProgramRun {
  readonly #child: ChildProcess;
  /** where it keeps its files while it runs */
  readonly folder = mkdtempSync(join(tmpdir(), "multi-process-test-"));
  readonly ended: Promise<number | null>;
  stdout = "";
  stderr = "";

  constructor(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    const { REDIS_URL: _, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [PROGRAM, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      env: { ...inherited, TMPDIR: this.folder, ...env },
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    // Also tells that the desk holds the output no more.
    this.ended = new Promise((resolve) => this.#child.once("close", resolve));
    onTestFinished(() => {
      this.interrupt("SIGKILL");
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  get id(): number {
    return this.#child.pid ?? 0;
  }

  /** What the table says of each call: id, tool, verdict, who decided, how it ended, and how many records there are. */
  get rows(): string[][] {
    return this.stdout.split("\n").flatMap((line) => {
      const cells = ROW.exec(line);
      return cells === null ? [] : [cells.slice(1)];
    });
  }

  /** What it says under this label, in order. */
  facts(label: string): string[] {
    return this.stdout.split("\n").flatMap((line) => {
      const [, name, text = ""] = /^ {2}(\w+) +(.*)$/.exec(line) ?? [];
      return name === label ? [text] : [];
    });
  }

  /** The files that it has now, by their paths. */
  get files(): string[] {
    return readdirSync(this.folder, { recursive: true }).map(String);
  }

  /** Fulfils once somebody was asked about this call. Rejects where the run ends before. */
  async parked(call: string): Promise<void> {
    let hasEnded = false;
    void this.ended.then(() => {
      hasEnded = true;
    });
    await until(() => hasEnded || this.#hasParked(call));
    if (hasEnded) throw new Error(`It ended before ${call} was parked: ${this.stderr}`);
  }

  #hasParked(call: string): boolean {
    const ledgers = this.files.filter((file) => file.endsWith(".jsonl"));
    const lines = ledgers.flatMap((file) => readFileSync(join(this.folder, file), "utf8").split("\n"));
    return lines.some((line) => line.includes(`"type":"ask.parked"`) && line.includes(`"call_id":"${call}"`));
  }

  /** Whether any process that the program started, or it itself, is still there. */
  get hasProcesses(): boolean {
    try {
      return process.kill(-this.id, 0);
    } catch {
      return false;
    }
  }

  /** As a terminal does at Ctrl-C: to every process of the group. */
  interrupt(signal: NodeJS.Signals): void {
    if (this.hasProcesses) process.kill(-this.id, signal);
  }

  /** To the program alone. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
