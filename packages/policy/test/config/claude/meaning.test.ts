import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../../src/evaluate/evaluate-rules.js";
import { parsedClaude } from "../support/rules-of.js";

const workspace = memoryWorkspace(
  {
    "/w/.env": "",
    "/w/b/.env": "",
    "/w/secrets/deep/key": "",
    "/w/a/b": "",
    "/w/a/x/y/b": "",
    "/w/src/x.ts": "",
    "/w/src/deep/y.ts": "",
    "/w/README.md": "",
    "/w/~/x": "",
    "/w/etc/hosts": "",
    "/w/docs/a.md": "",
    "/etc/hosts": "",
    "/h/.ssh/id": "",
  },
  { root: "/w", home: "/h" },
);

function effect(permissions: object, tool: string, input: { [key: string]: string }): string {
  const { rules } = parsedClaude(permissions, { scope: "shared-project" });
  return evaluateRules({ rules, call: { tool, input }, workspace }).effect;
}

describe("translated denies", () => {
  it.each([
    ["Read(.env)", "Read", ".env"],
    ["Read(.env)", "Read", "b/.env"],
    ["Read(./secrets/**)", "Read", "/w/secrets/deep/key"],
    ["Read(secrets)", "Read", "secrets/deep/key"],
    ["Read(secrets/)", "Read", "secrets/deep/key"],
    ["Read(/secrets)", "Read", "secrets/deep/key"],
    ["Read(a/**/b)", "Read", "a/b"],
    ["Read(a/**/b)", "Read", "a/x/y/b"],
    ["Read(//etc/hosts)", "Read", "/etc/hosts"],
    ["Read(~/.ssh/**)", "Read", "/h/.ssh/id"],
    ["Read(RE[AB]DME.md)", "Read", "README.md"],
    ["Read(*.md)", "Read", "docs/a.md"],
    ["Read(/~/x)", "Read", "/w/~/x"],
    ["Read(./~)", "Read", "/w/~/x"],
    ["Read(~)", "Read", "/w/~/x"],
    ["Read(.//etc/hosts)", "Read", "etc/hosts"],
    ["Read(///etc/hosts)", "Read", "/etc/hosts"],
    ["Edit(src/**)", "Edit", "src/x.ts"],
    ["Edit(src/**)", "Write", "src/deep/y.ts"],
    ["Edit", "Write", "src/x.ts"],
    ["Read(src/x:*)", "Read", "src/x:y"],
    ["Read(src/x:)", "Read", "src/x:"],
    ["Read(src/x:)", "Read", "src/x:/y"],
  ])("denies by %s: %s %s", (rule, tool, path) => {
    expect(effect({ deny: [rule], allow: [tool] }, tool, { file_path: path })).toBe("deny");
  });

  it.each([
    ["WebFetch(domain:example.com)", "https://example.com/x"],
    ["WebFetch(domain:example.com)", "http://example.com"],
    ["WebFetch(domain:*.example.com)", "https://a.example.com/"],
  ])("denies by %s: %s", (rule, url) => {
    expect(effect({ deny: [rule], allow: ["WebFetch"] }, "WebFetch", { url })).toBe("deny");
  });

  it.each([
    ["Bash(curl:*)", "curl -s x"],
    ["Bash(curl *)", "echo a && curl x"],
    ["Bash(rm -rf *)", "rm -rf /"],
  ])("denies by %s: %s", (rule, command) => {
    expect(effect({ deny: [rule], allow: ["Bash"] }, "Bash", { command })).toBe("deny");
  });
});

describe("translated allows", () => {
  it.each([
    ["Read(src/**)", "src/deep/y.ts", "allow"],
    ["Read(src/*)", "src/deep/y.ts", "ask"],
    ["Read(src/*)", "src/x.ts", "allow"],
    ["Read(./src)", "src/deep/y.ts", "allow"],
    ["Read(*.md)", "README.md", "allow"],
    ["Read(*.md)", "docs/a.md", "allow"],
    ["Read(docs/)", "docs/a.md", "allow"],
    ["Read(*)", "docs/a.md", "allow"],
    ["Read(*)", "/etc/hosts", "ask"],
    ["Read(//etc/hosts)", "/etc/hosts", "allow"],
    ["Read(~/.ssh/*)", "/h/.ssh/id", "allow"],
    ["Read(~)", "/w/~/x", "allow"],
    ["Read(~)", "/h/.ssh/id", "ask"],
    ["Read(~/)", "/h/.ssh/id", "allow"],
    ["Read(~x/**)", "/h/.ssh/id", "ask"],
    ["Read(./~/**)", "/h/.ssh/id", "ask"],
    ["Read(/~/**)", "/h/.ssh/id", "ask"],
    ["Read(.//etc/**)", "/etc/hosts", "ask"],
    ["Read(.//etc/**)", "etc/hosts", "allow"],
    ["Read(/etc/**)", "/etc/hosts", "ask"],
    ["Read(src)", "src/../secrets/deep/key", "ask"],
    ["Read(src:)", "src/x.ts", "ask"],
    ["Read(src:*)", "src/x.ts", "ask"],
    ["Read(..)", "../x", "ask"],
    ["NotebookRead", "src/x.ts", "ask"],
  ])("answers by %s: %s: %s", (rule, path, expected) => {
    expect(effect({ allow: [rule] }, "Read", { file_path: path })).toBe(expected);
  });

  it.each([
    ["https://example.com", "allow"],
    ["https://example.com/x?y=z", "allow"],
    ["https://a.example.com/", "ask"],
    ["https://example.com.evil.net/", "ask"],
    ["https://example.com@evil.net/", "ask"],
    ["https://evil.net/https://example.com/", "ask"],
  ])("answers by a domain: %s: %s", (url, expected) => {
    expect(effect({ allow: ["WebFetch(domain:example.com)"] }, "WebFetch", { url })).toBe(expected);
  });

  it.each([
    ["Bash(npm run test:*)", "npm run test --watch", "allow"],
    ["Bash(npm run test:*)", "npm run testing", "ask"],
    ["Bash(npm run build)", "npm run build", "allow"],
    ["Bash(npm run build)", "npm run build && curl x", "ask"],
    ["Bash(npm run what?)", "npm run whats", "ask"],
    ["Bash(npm run a:)", "npm run a: b", "ask"],
    ["Bash(echo * done:)", "echo x done more", "ask"],
    ["B*", "ls", "ask"],
  ])("answers by %s: %s: %s", (rule, command, expected) => {
    expect(effect({ allow: [rule] }, "Bash", { command })).toBe(expected);
  });
});
