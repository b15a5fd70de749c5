import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { PROGRAM } from "./support/run-program.js";
import { until } from "./support/until.js";

const DOWN = "\u001b[B";
const ENTER = "\r";
const CONTROL_C = "\u0003";
const MODES = [{ args: [] }, { args: ["--local"] }];

it.each(MODES)(
  "asks the person at the terminal, remembers for all workers, and stops at Ctrl-C, with $args",
  async ({ args }) => {
    const { terminal, shown } = inTerminal(args);
    const closed = once(terminal, "close");
    await until(() => shown().includes("Add to a note?") && shown().includes("● Deny"));
    await graceTime();
    // Down to the last answer, which is for the tool.
    for (const choice of ["● Allow once", "● Allow and remember this exact call", "● Allow and always"]) {
      terminal.stdin?.write(DOWN);
      await until(() => shown().includes(choice.slice(0, 7)));
    }
    terminal.stdin?.write(ENTER);
    await until(() => shown().includes("Publish all notes?") || shown().includes("Delete a note?"));
    await graceTime();
    terminal.stdin?.write(CONTROL_C);
    const [code] = await closed;
    expect(shown()).toMatch(/worker-1\/1 +add_note +ask_allowed +desk +completed +1/);
    expect(code).toBe(130);
  },
  90_000,
);

/** The program in a pseudo terminal, which `script` of util-linux makes. */
function inTerminal(args: readonly string[]): { terminal: ChildProcess; shown: () => string } {
  const { REDIS_URL: _, ...inherited } = process.env;
  const command = [process.execPath, PROGRAM, ...args].map((part) => `'${part}'`).join(" ");
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...inherited, TERM: "xterm-256color" },
  });
  onTestFinished(() => void terminal.kill());
  let text = "";
  terminal.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return { terminal, shown: () => stripVTControlCharacters(text) };
}

/** Real time: a list takes no approval before it has been on screen for a moment. */
function graceTime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 800));
}
