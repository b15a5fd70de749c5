import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runDemo, sessionOf, temporaryFolder } from "./support/run-demo.js";

/** What is bad, how to make it in a folder, and what the one line says. */
const CASES: readonly [string, (folder: string) => string[], RegExp][] = [
  ["no such file", (folder) => transcript(join(folder, "none.json")), /cannot be read: ENOENT/],
  ["a folder", (folder) => transcript(folder), /cannot be read: it is not a regular file/],
  ["a device without an end", () => transcript("/dev/zero"), /cannot be read: it is not a regular file/],
  ["a pipe that nobody writes to", (folder) => transcript(pipeIn(folder)), /it is not a regular file/],
  ["a file of 17 MiB", (folder) => written(folder, " ".repeat(17 * 2 ** 20)), /it is larger than 16 MiB/],
  ["malformed JSON", (folder) => written(folder, '{"messages": [\n'), /is no JSON: /],
  ["an empty file", (folder) => written(folder, ""), /is no JSON: /],
  ["JSON of another kind", (folder) => written(folder, "42"), /neither an array of messages nor/],
  ["no calls", (folder) => written(folder, '[{"role":"user","content":"hi"}]'), /holds no tool calls/],
  ["a message that is none", (folder) => written(folder, "[7]"), /message 1: .*expected object/],
  [
    "a call without an id",
    (folder) =>
      written(folder, '[{"role":"assistant","content":[{"type":"tool_use","name":"read","input":{}}]}]'),
    /message 1, tool_use 1, id: /,
  ],
  [
    "arguments that are no text",
    (folder) =>
      written(
        folder,
        '[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"read","arguments":{}}}]}]',
      ),
    /message 1, tool_calls 1, function\.arguments: /,
  ],
  [
    "a call of an unknown tool",
    (folder) =>
      transcript(
        sessionOf(folder, [
          { name: "list", input: {} },
          { name: "shel", input: {} },
        ]),
      ),
    /call 2 \(toolu_1\) is of an unknown tool 'shel'; nearest known: shell/,
  ],
  [
    "an unknown tool that is like none",
    (folder) => transcript(sessionOf(folder, [{ name: "constructor", input: {} }])),
    /unknown tool 'constructor'; known are: list, read, grep, write, edit, shell/,
  ],
  ["an unknown option", () => ["--fly"], /Unknown option '--fly'\. Usage: demo \[options\]/],
  ["an option without its value", () => ["--transcript"], /--transcript.*Usage: demo/],
  ["an empty value", () => ["--workspace="], /--workspace is empty/],
  ["an argument too many", () => ["session.json"], /Unexpected argument 'session.json'\. Usage: demo/],
  ["--yes and --no", () => ["--yes", "--no"], /--yes and --no exclude each other/],
  [
    "a workspace that is a file",
    (folder) => ["--workspace", fileIn(folder)],
    /workspace cannot be used: ENOTDIR/,
  ],
  [
    "a folder of somebody's",
    (folder) => [fileIn(folder), "--workspace", folder].slice(1),
    /holds other things/,
  ],
  ["a workspace nobody can make", () => ["--workspace", "/proc/none"], /workspace cannot be used: /],
];

const transcript = (file: string) => ["--transcript", file];

function written(folder: string, text: string): string[] {
  const file = join(folder, "bad.json");
  writeFileSync(file, text);
  return transcript(file);
}

function pipeIn(folder: string): string {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
}

function fileIn(folder: string): string {
  const file = join(folder, "file");
  writeFileSync(file, "");
  return file;
}

it.each(CASES)(
  "says one clear line and ends with 2, before anything is made: %s",
  async (_name, args, line) => {
    const folder = temporaryFolder();
    const temporary = join(folder, "tmp");
    mkdirSync(temporary);
    const { code, stdout, stderr } = await runDemo(args(folder), { TMPDIR: temporary });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^demo: [^\n]+\n$/);
    expect(stderr).toMatch(line);
    expect(readdirSync(temporary)).toEqual([]);
  },
);
