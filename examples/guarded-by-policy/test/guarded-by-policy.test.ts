import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const DOWN = "\u001b[B";
const ENTER = "\r";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "guarded-by-policy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Number, tool and verdict of each line about a call. */
function verdicts(text: string): string[] {
  return [...text.matchAll(/^ +(\d+ {2}\w+) .*? {2}(allow|ask|deny|ask_\w+) +(\w+)/gm)].map(
    ([, call, verdict, source]) => `${call?.replace(/ +/, " ")} ${verdict} ${source}`,
  );
}

it("decides the shipped session by the rules of its file", async () => {
  const args = [PROGRAM, "--workspace", join(temporaryFolder(), "w"), "--dry-run"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe("");
  expect(verdicts(stdout)).toEqual(
    [
      "1 list allow",
      "2 read allow",
      "3 grep allow",
      "4 read allow",
      "5 read allow",
      "6 shell allow",
      "7 edit ask",
      "8 edit ask",
      "9 edit ask",
      "10 write allow",
      "11 shell allow",
      "12 write ask",
      "13 write deny",
      "14 edit ask",
      "15 shell deny",
      "16 shell ask",
      "17 read allow",
    ].map((line) => `${line} middleware`),
  );
  expect(stdout).toContain("files are removed by hand here");
});

it("learns a rule from 'for this session' at the terminal, which covers that command and no other", async () => {
  const folder = temporaryFolder();
  const session = join(folder, "session.json");
  const commands = ["echo one", "echo one", "echo two"];
  writeFileSync(
    session,
    JSON.stringify(
      commands.map((command, index) => ({
        role: "assistant",
        content: [{ type: "tool_use", id: `t${index}`, name: "shell", input: { command } }],
      })),
    ),
  );
  const command = [process.execPath, PROGRAM, "--workspace", join(folder, "w"), "--transcript", session];
  const terminal = spawn("script", ["-qec", command.map((part) => `'${part}'`).join(" "), "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, TERM: "xterm-256color" },
  });
  onTestFinished(() => void terminal.kill());
  let text = "";
  /** What is to be seen, how often, and the keys that it is answered with. */
  const steps: [seen: string, count: number, keys: string][] = [
    ["Allow and remember for this session", 1, DOWN],
    ["● Allow once", 1, DOWN],
    ["● Allow and remember for this session", 1, ENTER],
    ["echo two", 1, ""],
    ["● Deny", 2, "n"],
  ];
  const answer = async (keys: string) => {
    // Real time: a list takes no approval before it has been on screen for a moment.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    terminal.stdin.write(keys);
  };
  terminal.stdout.setEncoding("utf8").on("data", (shown: string) => {
    text += shown;
    for (let step = steps[0]; step !== undefined; step = steps[0]) {
      const [seen, count, keys] = step;
      if (stripVTControlCharacters(text).split(seen).length <= count) return;
      steps.shift();
      if (keys !== "") void answer(keys);
    }
  });
  await once(terminal, "close");
  expect(verdicts(stripVTControlCharacters(text))).toEqual([
    "1 shell ask_allowed ask_resolver",
    "2 shell allow middleware",
    "3 shell ask_denied ask_resolver",
  ]);
});
