import type { PolicyCall } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, ask, bashEffect, decideBash, deny, pathEffect } from "./rule-samples.js";

const EVERYTHING = [allow("", { scope: "managed" })];
const plan = (call: PolicyCall) =>
  evaluateRules({
    rules: EVERYTHING,
    learned: [allow(`${call.tool}(a)`, { exact: true })],
    mode: "plan",
    call,
  });

describe("plan mode", () => {
  it.each(["Edit", "Write", "Remove"])("denies %s before any rule, whatever allows it", (tool) => {
    expect(plan({ tool, input: { path: "a" } })).toMatchObject({
      effect: "deny",
      rule: null,
      basis: "plan-mode",
      parts: [{ text: "a", effect: "deny" }],
    });
  });

  it.each(["Copy", "Move"])("denies %s, naming both operands", (tool) => {
    expect(plan({ tool, input: { source: "a", destination: "b" } }).parts.map(({ text }) => text)).toEqual([
      "a",
      "b",
    ]);
  });

  it("denies by kind, also a tool of another name", () => {
    const call = { tool: "save_file", input: { path: "a" } };
    expect(plan({ ...call, kind: "Write" }).effect).toBe("deny");
    const mapped = evaluateRules({
      rules: EVERYTHING,
      mode: "plan",
      toolKinds: { save_file: "Write" },
      call,
    });
    expect(mapped.effect).toBe("deny");
  });

  it.each(["Read", "ListDir", "Grep", "Glob", "WebFetch", "WebSearch"])("leaves %s to the rules", (tool) => {
    for (const readOnly of [true, false]) {
      const call = { tool, input: { path: "a" }, readOnly };
      expect(evaluateRules({ rules: EVERYTHING, mode: "plan", call }).effect).toBe("allow");
      expect(evaluateRules({ rules: [deny("")], mode: "plan", call }).effect).toBe("deny");
    }
  });

  it("denies a tool of no listed kind that says that it changes something, and leaves others to the rules", () => {
    expect(plan({ tool: "deploy", input: {}, readOnly: false })).toMatchObject({
      effect: "deny",
      basis: "plan-mode",
    });
    expect(plan({ tool: "deploy", input: {}, readOnly: true }).effect).toBe("allow");
    expect(plan({ tool: "deploy", input: {} }).effect).toBe("allow");
  });

  it.each(["rm x", "ls > f", "git commit -m x", "FOO=1 ls", "cat $(ls)", "ls && rm x", "(ls", "cd /tmp", ""])(
    "denies the command %j, which is not known to change nothing",
    (command) => {
      expect(decideBash(EVERYTHING, command, { mode: "plan" })).toMatchObject({
        effect: "deny",
        basis: "plan-mode",
      });
    },
  );

  it.each([[{}], [null], [{ command: 7 }], [{ command: "ls", cmd: 7 }], [["ls"]]])(
    "denies a shell call whose command cannot be read: %j",
    (input) => {
      for (const tool of ["Bash", "Shell"])
        expect(plan({ tool, input })).toMatchObject({ effect: "deny", basis: "plan-mode" });
    },
  );

  it("leaves read-only commands to the rules", () => {
    expect(bashEffect(EVERYTHING, "git status && ls", { mode: "plan" })).toBe("allow");
    expect(bashEffect([ask("Bash(git *)"), ...EVERYTHING], "git status", { mode: "plan" })).toBe("ask");
    expect(bashEffect([deny("Bash(ls:*)"), ...EVERYTHING], "ls -la", { mode: "plan" })).toBe("deny");
    expect(bashEffect([], "git status", { mode: "plan" })).toBe("ask");
  });
});

describe("accept-edits mode", () => {
  const workspace = memoryWorkspace({
    "/etc/passwd": "",
    "/w/out": { link: "/etc" },
    "/w/loop": { link: "/w/loop" },
  });
  const options = { mode: "accept-edits", workspace } as const;

  it.each(["Edit", "Write"])("allows %s inside the workspace", (tool) => {
    expect(pathEffect([], tool, "src/a.ts", options)).toBe("allow");
    expect(pathEffect([ask(tool, { scope: "builtin" })], tool, "/w/src/a.ts", options)).toBe("allow");
  });

  it.each(["/etc/passwd", "../x", "out/passwd", "loop/x", "/w-old/x"])(
    "asks about a write to %s, outside of it or not known to be inside",
    (path) => {
      expect(pathEffect([], "Write", path, options)).toBe("ask");
    },
  );

  it("allows edits anywhere where there is no workspace", () => {
    expect(pathEffect([], "Edit", "/etc/hosts", { mode: "accept-edits" })).toBe("allow");
  });

  it("allows nothing else, and no write by a command", () => {
    for (const tool of ["Read", "Remove", "ListDir"])
      expect(pathEffect([], tool, "src/a.ts", options)).toBe("ask");
    const copy = { tool: "Copy", input: { source: "a", destination: "b" } };
    expect(evaluateRules({ ...options, rules: [], call: copy }).effect).toBe("ask");
    expect(bashEffect([allow("Bash(echo:*)")], "echo x > src/a.ts", options)).toBe("ask");
    expect(evaluateRules({ ...options, rules: [], call: { tool: "Write", input: {} } }).effect).toBe("ask");
  });

  it("yields to denies and operators' asks of whatever scope", () => {
    expect(pathEffect([deny("Write(src/**)")], "Write", "src/a.ts", options)).toBe("deny");
    expect(pathEffect([ask("Write(src/**)")], "Write", "src/a.ts", options)).toBe("ask");
  });
});
