import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM } from "./support/run-program.js";
import { until } from "./support/until.js";

const DOWN = "\u001b[B";
const ENTER = "\r";
const CONTROL_C = "\u0003";
const MODES = [
  { mode: "in processes", args: [] },
  { mode: "in one process", args: ["--local"] },
];

describe.each(MODES)("a run at a terminal, $mode", ({ args }) => {
  it("asks the person there, remembers what was approved for all workers, and stops at Ctrl-C", async () => {
    const terminal = new Terminal(args);
    await terminal.approveFirst();
    await terminal.shows(/Publish all notes\?|Delete a note\?/);
    await graceTime();
    terminal.type(CONTROL_C);
    expect(await terminal.closed).toBe(130);
    expect(terminal.text).toMatch(/worker-1\/1 +add_note +ask_allowed +desk +completed +1/);
    expect(terminal.text).not.toContain("outbox/");
  }, 90_000);
});

it("takes a question off the screen once a phone has answered it", async () => {
  const terminal = new Terminal([]);
  await terminal.approveFirst();
  await terminal.shows(/Publish all notes\?|Delete a note\?/);
  await terminal.shows(/Answered elsewhere\./);
  terminal.type(CONTROL_C);
  expect(await terminal.closed).toBe(130);
  expect(terminal.text).toMatch(/publish +ask_(allowed +ana|denied +bob) /);
}, 90_000);

/** The program in a pseudo terminal, which `script` of util-linux makes. */
class Terminal {
  readonly #child: ChildProcess;
  readonly closed: Promise<number | null>;
  #text = "";

  constructor(args: readonly string[]) {
    const { REDIS_URL: _, ...inherited } = process.env;
    const command = [process.execPath, PROGRAM, ...args].map((part) => `'${part}'`).join(" ");
    this.#child = spawn("script", ["-qec", command, "/dev/null"], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...inherited, TERM: "xterm-256color" },
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
    });
    this.closed = new Promise((resolve) => this.#child.once("close", resolve));
    onTestFinished(() => void this.#child.kill());
  }

  get text(): string {
    return stripVTControlCharacters(this.#text);
  }

  shows(pattern: RegExp): Promise<void> {
    return until(() => pattern.test(this.text));
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Has the first question answered for every call of its tool. */
  async approveFirst(): Promise<void> {
    await this.shows(/Add to a note\?.*● Deny/s);
    await graceTime();
    for (const choice of ["once", "and remember this exact call", "and remember this tool"]) {
      this.type(DOWN);
      await this.shows(new RegExp(`● Allow ${choice}`));
    }
    this.type(ENTER);
  }
}

/** Real time: a list takes no approval before it has been on screen for a moment. */
function graceTime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 800));
}
