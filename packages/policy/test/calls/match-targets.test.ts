import { describe, expect, it } from "vitest";
import { matchTargets } from "../../src/calls/match-targets.js";

describe("matchTargets", () => {
  it("gives the simple commands of a shell call, with what only starts them taken off", () => {
    const call = { tool: "Shell", input: { command: "timeout 5 git status && ls -la | wc" } };
    expect(matchTargets(call)).toEqual(["git status", "ls -la", "wc"]);
  });

  it("gives the commands under every key", () => {
    expect(matchTargets({ tool: "Bash", input: { command: "ls", cmd: "pwd" } })).toEqual(["ls", "pwd"]);
  });

  it("gives an empty text where no command can be read", () => {
    expect(matchTargets({ tool: "Bash", input: {} })).toEqual([""]);
    expect(matchTargets({ tool: "Bash", input: { command: "# only words" } })).toEqual([""]);
  });

  it("gives the targets of any other call as they are written", () => {
    expect(matchTargets({ tool: "Grep", input: { pattern: "x", path: "src" } })).toEqual(["src"]);
    expect(matchTargets({ tool: "Copy", input: { source: "/a", destination: "/b" } })).toEqual(["/a", "/b"]);
    expect(matchTargets({ tool: "get", input: { path: "x" } }, { toolKinds: { get: "Read" } })).toEqual([
      "x",
    ]);
  });
});
