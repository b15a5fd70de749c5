import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, ask, bashEffect, decideBash, deny } from "./rule-samples.js";

const workspace = memoryWorkspace({ "/w/secret/k": "", "/w/src/gen/a.ts": "", "/w/up": { link: "/w" } });
const everything = ["Bash", "Write", "Remove", "Copy", "Move", "Grep"].map((tool) => allow(tool));
const rules = [...everything, deny("Read(secret/**)"), deny("Write(src/gen/**)")];

describe("a command that works on a whole folder", () => {
  it.each([
    "grep -r KEY .",
    "grep -r KEY",
    "rg KEY",
    "ag KEY .",
    "git grep KEY",
    "git diff --no-index /dev/null .",
    "cp -r . /tmp/out",
    "cp -r up /tmp/out",
    "diff -r . /tmp/out",
    "tar cf /tmp/out.tar .",
    "rm -r src",
    "rm -rf /w",
    "find src -delete",
    "mv src /tmp/out",
    "cd src && rm -r ../src",
    "chmod -R 0 src",
    "chown --recursive me src",
    "rsync -a --delete /tmp/x/ src",
    "cp -rT /tmp/x src",
    "ln -s . d",
    "ln -s .. d/e",
    "git mv . /tmp/out",
    "git archive HEAD",
    "zip -r /tmp/out.zip .",
    "tar cf /tmp/out.tar -C /w .",
  ])("asks by the rule about a part of it: %j", (command) => {
    const decision = decideBash(rules, command, { workspace });
    expect(decision).toMatchObject({ effect: "ask", configuredAsk: true });
    expect(decision.reason).toMatch(/all that is in the folder, and .*(?:secret|gen)/);
  });

  it.each(["grep -r KEY .", "rg KEY", "rm -r src", "cp -r . out"])(
    "does so without a workspace: %j",
    (command) => {
      expect(decideBash(rules, command)).toMatchObject({ effect: "ask", configuredAsk: true });
    },
  );

  it.each([
    "grep -r KEY src",
    "rg KEY src",
    "ls",
    "ls -l .",
    "find . -name a",
    "rm -r out",
    "cp -r src out",
    "git diff",
  ])("is left as it is where no rule names a place there: %j", (command) => {
    expect(bashEffect(rules, command, { workspace })).toBe("allow");
  });

  it("is left as it is by rules that name no folder", () => {
    const floating = [...everything, deny("Read(**/.env)"), deny("Read(*.key)"), ask("Write(/w/*.pem)")];
    for (const command of ["grep -r KEY .", "rg KEY", "cp -r src out", "rm -r src"])
      expect(bashEffect(floating, command, { workspace })).toBe("allow");
  });
});

describe("a tool that works on a whole folder", () => {
  it.each([
    ["Remove", { path: "src" }],
    ["Copy", { source: ".", destination: "/tmp/out" }],
    ["Move", { source: "src", destination: "/tmp/out" }],
    ["Move", { source: ".", destination: "/tmp/out" }],
    ["Grep", { pattern: "KEY" }],
    ["Grep", { pattern: "KEY", path: "." }],
  ] as const)("asks by the rule about a part of it: %s %j", (tool, input) => {
    expect(evaluateRules({ workspace, rules, call: { tool, input } })).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
  });

  it.each([
    ["Remove", { path: "out" }],
    ["Copy", { source: "src", destination: "/tmp/out" }],
    ["Grep", { pattern: "KEY", path: "src" }],
  ] as const)("is left as it is where no rule names a place there: %s %j", (tool, input) => {
    expect(evaluateRules({ workspace, rules, call: { tool, input } }).effect).toBe("allow");
  });
});
