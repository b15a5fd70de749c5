import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, bashEffect, deny } from "./rule-samples.js";

const workspace = memoryWorkspace({ "/w/secret/key": "", "/w/src/generated/x": "", "/w/server/.env": "" });
const rules = [
  ...["Bash", "Read", "Write", "Remove", "Copy", "Glob", "Grep", "ListDir"].map((tool) => allow(tool)),
  deny("Read(secret/**)"),
  deny("Write(src/generated/**)"),
  deny("Bash(canary:*)"),
];
const effectOf = (tool: string, input: { [key: string]: string }, more = rules) =>
  evaluateRules({ rules: more, workspace, call: { tool, input } }).effect;

describe("what the README says of whole folders", () => {
  it.each(["rm -r src", "chmod -R go-w src", "grep -r KEY .", "rg KEY", "cp -r . /tmp/x"])(
    "%j asks where a deny names a place in them",
    (command) => {
      expect(bashEffect(rules, command, { workspace })).toBe("ask");
    },
  );

  it("tools that work on a whole folder ask as well", () => {
    expect(effectOf("Grep", { path: "." })).toBe("ask");
    expect(effectOf("Grep", {})).toBe("ask");
    expect(effectOf("Remove", { path: "src" })).toBe("ask");
    expect(effectOf("Copy", { source: ".", destination: "/tmp/x" })).toBe("ask");
  });

  it.each(["ls -R", "find .", "du", "tree"])("%j lists names and asks nothing", (command) => {
    expect(bashEffect(rules, command, { workspace })).toBe("allow");
  });

  it("tools that list names ask nothing, and only ListDir is not bound by a deny of Read of the folder itself", () => {
    expect(effectOf("Glob", { pattern: "**/*" })).toBe("allow");
    expect(effectOf("Glob", { pattern: "secret/*" })).toBe("deny");
    expect(effectOf("ListDir", { path: "." })).toBe("allow");
    expect(effectOf("ListDir", { path: "secret" })).toBe("allow");
    expect(bashEffect(rules, "ls secret", { workspace })).toBe("deny");
  });

  it("a pattern that begins with a wildcard binds no search of the folders above", () => {
    const floating = [allow("Bash"), allow("Grep"), deny("Read(**/.env)")];
    expect(effectOf("Grep", { path: "server" }, floating)).toBe("allow");
    expect(bashEffect(floating, "grep -r KEY server", { workspace })).toBe("allow");
    expect(bashEffect(floating, "cat server/.env", { workspace })).toBe("deny");
  });
});

describe("what the README says that no text shows", () => {
  it.each([
    "git diff",
    "git log -p",
    "git show",
    "git clean -fdx",
    "git checkout HEAD src/generated/x",
    "sh run.sh",
    "./run",
    "tclsh x",
    "git st",
  ])("%j is left to whoever allows it", (command) => {
    expect(bashEffect(rules, command, { workspace })).toBe("allow");
  });

  it.each(["echo canary > s; sh s", "cp /bin/x y && ./y", "ln -s /bin/x y && ./y", "ln -s x y && cat y"])(
    "%j asks, since it makes in one line what it uses",
    (command) => {
      expect(bashEffect(rules, command, { workspace })).toBe("ask");
    },
  );

  it.each(["run-parts bin", "gdb x", "sqlite3 x .q"])("%j asks", (command) => {
    expect(bashEffect(rules, command, { workspace })).toBe("ask");
  });
});
