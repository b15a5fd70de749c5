import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM } from "./support/run-program.js";
import { until } from "./support/until.js";

const DOWN = "\u001b[B";
const ENTER = "\r";
const ESCAPE = "\u001b";
const CONTROL_C = "\u0003";
const MODES = [
  { mode: "in processes", args: [] },
  { mode: "in one process", args: ["--local"] },
];

describe.each(MODES)("a run at a terminal, $mode", ({ args }) => {
  it("asks one question after the other, hears the keys when workers have ended, and goes on at Ctrl-C", async () => {
    const terminal = new Terminal(args);
    await terminal.choose("Allow and remember this tool", 1);
    for (const [index, denial] of ["n", CONTROL_C, ESCAPE].entries()) {
      await terminal.asks(index + 2);
      // Meanwhile the worker ends whose last question was answered before.
      await graceTime();
      terminal.type(denial);
    }
    await terminal.choose("Allow once", 5);
    expect(await terminal.closed, terminal.text).toBe(0);
    expect(terminal.text).toMatch(/worker-1\/1 +add_note +ask_allowed +desk +completed +1/);
    expect(terminal.text.match(/ask_allowed +desk/g)).toHaveLength(2);
    expect(terminal.text.match(/ask_denied +desk/g)).toHaveLength(3);
    expect(terminal.text).toMatch(/remembered +Allow every call of add_note, by desk/);
    expect(terminal.text).toMatch(/ended +6 of 6 that were started/);
  }, 90_000);
});

it("takes a question off the screen once a phone has answered it", async () => {
  const terminal = new Terminal([]);
  await terminal.choose("Allow and remember this tool", 1);
  await terminal.asks(2);
  await terminal.shows(/Answered elsewhere\./);
  // Between questions a key is dropped.
  const denying = setInterval(() => terminal.type("n"), 200);
  expect(await terminal.closed).toBe(0);
  clearInterval(denying);
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
    // What is typed once the program has ended goes nowhere.
    this.#child.stdin?.on("error", () => {});
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

  /** Fulfils once this many questions have been on screen: each begins with Deny. */
  asks(count: number): Promise<void> {
    return until(() => this.text.split("● Deny").length > count);
  }

  /** Answers the question of that number, the first is 1, by the arrow and Enter. */
  async choose(choice: string, question: number): Promise<void> {
    await this.asks(question);
    await graceTime();
    const shown = this.text.length;
    while (!this.text.slice(shown).includes(`● ${choice}`)) {
      const before = this.text.length;
      this.type(DOWN);
      await until(() => this.text.slice(before).includes("●"));
    }
    this.type(ENTER);
  }
}

/** Real time: a list takes no approval before it has been on screen for a moment. */
function graceTime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_500));
}
