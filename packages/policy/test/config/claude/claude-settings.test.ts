import { describe, expect, it } from "vitest";
import { lines, parsed, parsedClaude } from "../support/rules-of.js";

describe("rules that mean the same here", () => {
  it.each([
    ["Bash", ["Bash"]],
    ["Bash(*)", ["Bash"]],
    ["Bash(npm run build)", ["Bash(npm run build) ="]],
    ["Bash(npm run test:*)", ["Bash(npm run test:*)"]],
    ["Bash(npm *)", ["Bash(npm *)"]],
    ["Bash(git * main)", ["Bash(git * main)"]],
    ["Bash(what is it?)", ["Bash(what is it?) ="]],
    ["Bash(echo a:)", ["Bash(echo a:) ="]],
    ["Read", ["Read"]],
    ["Read(src/index.ts)", ["Read(src/index.ts)", "Read(src/index.ts/**)"]],
    ["Read(./src/**)", ["Read(src/**)"]],
    ["Read(src/*.ts)", ["Read(src/*.ts)"]],
    ["Read(/docs/**)", ["Read(docs/**)"]],
    ["Read(//etc/hosts)", ["Read(/etc/hosts)", "Read(/etc/hosts/**)"]],
    ["Read(~/notes/*)", ["Read(~/notes/*)"]],
    ["Read(docs/)", ["Read(docs/**)", "Read(**/docs/**)"]],
    ["Read(*.md)", ["Read(*.md)", "Read(**/*.md)"]],
    ["Read(*)", ["Read(**)"]],
    ["Edit(src/**)", ["Edit(src/**)", "Write(src/**)"]],
    ["Edit", ["Edit"]],
    ["MultiEdit", ["MultiEdit"]],
    ["NotebookEdit", ["NotebookEdit"]],
    ["NotebookRead", ["NotebookRead"]],
    ["Write(out/**)", ["Write(out/**)"]],
    ["LS(src/**)", ["ListDir(src/**)"]],
    ["Glob", ["Glob"]],
    ["WebFetch(domain:example.com)", ["WebFetch(https://example.com)", "WebFetch(https://example.com/*)"]],
    ["WebFetch", ["WebFetch"]],
    ["WebSearch", ["WebSearch"]],
    ["Task", ["Subagent"]],
    ["mcp__git", ["mcp__git"]],
    ["mcp__git__*", ["mcp__git__*"]],
    ["mcp__git__status", ["mcp__git__status"]],
    ["TodoWrite", ["TodoWrite"]],
  ])("allows %s", (rule, expected) => {
    const set = parsedClaude({ allow: [rule] }, PROJECT);
    expect(lines(set)).toEqual(expected.map((text) => `allow main ${text}`));
    expect(set).toMatchObject({ problems: [], failClosed: null });
  });

  it.each([
    ["Bash(rm:*)", ["Bash(rm:*)"]],
    ["Bash(echo \\*)", ["Bash(echo \\*)", "Bash(echo *)"]],
    ["Read(.env)", ["Read(**/.env)", "Read(**/.env/**)"]],
    ["Read(./secrets/**)", ["Read(secrets/**)", "Read(secrets/**/**)"]],
    ["Read(secrets/)", ["Read(**/secrets)", "Read(**/secrets/**)"]],
    ["Read(a/**/b)", ["Read(a/*b)", "Read(a/*b/**)"]],
    ["Read(~/.ssh/**)", ["Read(~/.ssh/**)", "Read(~/.ssh/**/**)"]],
    ["Read(//c/keys)", ["Read(/c/keys)", "Read(/c/keys/**)", "Read(c:/keys)", "Read(c:/keys/**)"]],
    ["Edit(src/x.ts)", ["Edit(src/x.ts)", "Edit(src/x.ts/**)", "Write(src/x.ts)", "Write(src/x.ts/**)"]],
    ["Edit", ["Edit", "Write"]],
    ["Read(src:)", ["Read(**/src?)", "Read(**/src?/**)"]],
    ["Read(src:*)", ["Read(**/src:**)", "Read(**/src:**/**)"]],
    ["MultiEdit", ["Edit", "Write", "MultiEdit"]],
    ["LS", ["ListDir", "LS"]],
    ["WebFetch(domain:example.com)", ["WebFetch(domain:example.com)"]],
    ["WebFetch(domain:*.example.com)", ["WebFetch(domain:example.com)"]],
    ["Task", ["Subagent", "Task"]],
    ["mcp__git", ["mcp__git"]],
    ["mcp__*__push", ["mcp__*"]],
    ["*", ["*"]],
  ])("denies %s", (rule, expected) => {
    const set = parsedClaude({ deny: [rule] }, PROJECT);
    expect(lines(set)).toEqual(expected.map((text) => `deny all ${text}`));
    expect(set).toMatchObject({ problems: [], failClosed: null });
  });
});

describe("what cannot be translated exactly", () => {
  const rules: [string, string[]][] = [
    ["Task(Explore)", ["Subagent", "Task"]],
    ["mcp__git__push(main)", ["mcp__git__push"]],
    ["Skill(deploy)", ["Skill"]],
    ["WebFetch(example.com)", ["WebFetch"]],
    ["WebSearch(cats)", ["WebSearch"]],
    ["Read(a[bc]d)", ["Read(**/a*d)", "Read(**/a*d/**)"]],
    ["Read(./*.{pem,key})", ["Read(*.{pem,key})", "Read(*.{pem,key}/**)"]],
    ["Read(src/a\\*b)", ["Read(src/a?b)", "Read(src/a?b/**)"]],
    ["Read(src/a[b)", ["Read(src/a?b)", "Read(src/a?b/**)"]],
  ];

  it.each(rules)("is made wider in a deny and reported: %s", (rule, expected) => {
    const set = parsedClaude({ deny: [rule] }, PROJECT);
    expect(lines(set)).toEqual(expected.map((text) => `deny all ${text}`));
    expect(set.problems).toHaveLength(1);
    expect(set.failClosed).toBeNull();
  });

  it.each([
    ...rules.map(([rule]) => rule),
    "Bash(git * ?)",
    "Bash(echo \\* *)",
    "Bash(a*b:*)",
    "WebFetch(domain:*.example.com)",
    "Read(a**b)",
    "Read(src/?)",
    "Read(!src)",
    "*",
    "mcp__*__read",
    "mcp__g*",
    "mcp__*",
    "B*",
    "Bash(echo * done:)",
    "Edit(src:*)",
    "Read(src:)",
    "Edit(..)",
    "Edit(../x)",
    "Edit(./..)",
    "Edit(~/../x)",
    "Edit(a/../b)",
    "Edit(.)",
    "NotebookEdit(src/**)",
    "MultiEdit(src/**)",
    "NotebookRead(src/**)",
    "Shell",
    "Remove",
    "ListDir(src)",
    "Bash(ls:*), Bash(dd:*)",
  ])("is left out as an allow and reported: %s", (rule) => {
    const set = parsedClaude({ allow: [rule, "Read"] }, PROJECT);
    expect(lines(set)).toEqual(["allow main Read"]);
    expect(set.problems).toMatchObject([{ file: "/c/settings.json", line: 1, text: JSON.stringify(rule) }]);
    expect(set.failClosed).toBeNull();
  });

  it("is left out or read from every folder it may begin in, where settings are not the project's", () => {
    expect(parsedClaude({ allow: ["Read(/src/**)"] }, { scope: "user" }).rules).toEqual([]);
    expect(lines(parsedClaude({ deny: ["Read(/x)"] }, { scope: "user" }))).toEqual([
      "deny all Read(x)",
      "deny all Read(x/**)",
      "deny all Read(~/.claude/x)",
      "deny all Read(~/.claude/x/**)",
      "deny all Read(/x)",
      "deny all Read(/x/**)",
    ]);
  });

  it.each(["Bash(rm", "Read(!x)", "Read(#x)"])(
    "makes the tool ask, of a deny that says nothing here: %s",
    (rule) => {
      const set = parsedClaude({ deny: [rule] });
      expect(lines(set)).toEqual([`ask all ${rule.startsWith("Bash") ? "Bash" : "Read"}`]);
      expect(set.problems).toHaveLength(1);
    },
  );

  it("makes the tool ask, of a deny that seems to hold several rules, and every tool where these name others", () => {
    expect(lines(parsedClaude({ deny: ["Bash(rm:*), Bash(dd:*)"] }))).toEqual(["ask all Bash"]);
    expect(lines(parsedClaude({ deny: ["Bash(rm:*) Read(x)"] }))).toEqual(["ask all *"]);
  });

  it("makes every tool ask, of an ask that is no text", () => {
    expect(lines(parsedClaude({ ask: [5] }))).toEqual(["ask all *"]);
  });
});

it("binds child agents by its asks and denies, as Claude does, and not by its allows", () => {
  expect(lines(parsedClaude({ deny: ["A"], ask: ["B"], allow: ["C"] }))).toEqual([
    "deny all A",
    "ask all B",
    "allow main C",
  ]);
});

describe("other settings", () => {
  it("are reported and not fatal, at both levels", () => {
    const text = JSON.stringify({
      $schema: "x",
      model: "m",
      hooks: { PreToolUse: [] },
      permissions: { additionalDirectories: ["../x"], defaultMode: "acceptEdits", deny: ["A"] },
    });
    const set = parsed(text, CLAUDE);
    expect(lines(set)).toEqual(["deny all A"]);
    expect(set.failClosed).toBeNull();
    expect(set.problems.map((problem) => problem.text)).toEqual([
      "model",
      "hooks",
      "additionalDirectories",
      "defaultMode",
    ]);
  });

  it("make what changes something ask, where they ask for plan mode", () => {
    const set = parsedClaude({ defaultMode: "plan", allow: ["Bash"] });
    expect(lines(set)).toEqual([
      ...["Bash", "Edit", "Write", "Copy", "Move", "Remove"].map((tool) => `ask all ${tool}`),
      "allow main Bash",
    ]);
    expect(set.problems).toHaveLength(1);
  });
});

it.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["permissions that are a text", '{"permissions": "x"}'],
  ["a list that is a text", '{"permissions": {"deny": "Bash"}}'],
  ["a repeated key", '{"permissions": {"deny": ["A"], "deny": []}}'],
  ["an empty file", ""],
])("fails closed on %s", (_, text) => {
  expect(parsed(text, CLAUDE).failClosed).toContain("/c/settings.json");
});

const PROJECT = { scope: "shared-project" } as const;
const CLAUDE = { path: "/c/settings.json", form: "claude" } as const;
