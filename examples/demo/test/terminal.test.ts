import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, expect, it } from "vitest";
import { PROGRAM, rowsOf, sessionOf, temporaryFolder } from "./support/run-demo.js";

const DOWN = "\u001b[B";
const ENTER = "\r";

/** The program in a pseudo terminal, which `script` of util-linux makes. */
class Terminal {
  readonly #child: ChildProcess;
  readonly closed: Promise<number | null>;
  #text = "";
  #wake = () => {};

  constructor(args: readonly string[]) {
    const command = [process.execPath, PROGRAM, ...args].map((part) => `'${part}'`).join(" ");
    this.#child = spawn("script", ["-qec", command, "/dev/null"], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, TERM: "xterm-256color" },
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.#child.on("close", resolve);
    });
  }

  get text(): string {
    return stripVTControlCharacters(this.#text);
  }

  /** Waits until it shows this `count` times. */
  async shows(pattern: string, count = 1): Promise<void> {
    while (this.text.split(pattern).length <= count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  end(): void {
    this.#child.kill();
  }
}

let terminal: Terminal | undefined;

afterEach(() => terminal?.end());

/** Real time: a list takes no approval before it has been on screen for a moment. */
const graceTime = () => new Promise((resolve) => setTimeout(resolve, 1_500));

it("asks the person at the terminal, shows the command, heeds the keys, and remembers what it was told to", async () => {
  const folder = temporaryFolder();
  const session = sessionOf(folder, [
    { name: "shell", input: { command: "echo one" } },
    { name: "shell", input: { command: "echo two" } },
    { name: "list", input: {} },
  ]);
  const args = ["--workspace", join(folder, "w"), "--transcript", session];

  terminal = new Terminal(args);
  await terminal.shows("Allow and remember this exact call");
  expect(terminal.text).toContain("echo one");
  await graceTime();
  terminal.type(DOWN);
  await terminal.shows("● Allow once");
  terminal.type(DOWN);
  await terminal.shows("● Allow and remember this exact call");
  terminal.type(ENTER);
  await terminal.shows("echo two");
  await terminal.shows("● Deny", 2);
  terminal.type("n");
  expect(await terminal.closed).toBe(0);
  expect(terminal.text).toContain("approver    you, at this terminal");
  expect(rowsOf(terminal.text)).toMatchObject([
    { call: "echo one", verdict: "ask_allowed", told: "approved (terminal); exit 0: one" },
    { call: "echo two", verdict: "ask_denied", told: "denied by user (terminal)" },
    { verdict: "allow" },
  ]);

  terminal = new Terminal([...args, "--no"]);
  expect(await terminal.closed).toBe(0);
  expect(rowsOf(terminal.text)).toMatchObject([
    { call: "echo one", verdict: "allow", source: expect.stringMatching(/^grant /) },
    { call: "echo two", verdict: "ask_denied", told: "denied by user (--no)" },
    {},
  ]);
});
