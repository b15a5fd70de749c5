import { describe, expect, it } from "vitest";
import { lines, parsed } from "../support/rules-of.js";

describe("what a file says", () => {
  it("reads lists with their audiences, and rules with their place", () => {
    const set = parsed(`permissions:
  allow:
    - Read
    - Shell(git status)
  ask: ["Shell(git push *)"]
  deny:
    - rule: Read(**/.env)
      reason: secrets stay here
      id: no-env
  subagent:
    allow: [Grep]
    ask: [Shell]
    deny: [WebFetch]
`);
    expect(lines(set)).toEqual([
      "deny all Read(**/.env)",
      "deny subagent WebFetch",
      "ask main Shell(git push *)",
      "ask subagent Shell",
      "allow main Read",
      "allow main Shell(git status)",
      "allow subagent Grep",
    ]);
    expect(set).toMatchObject({ problems: [], failClosed: null });
    expect(set.rules[0]).toEqual({
      scope: "user",
      effect: "deny",
      audience: "all",
      tool: "Read",
      pattern: "**/.env",
      reason: "secrets stay here",
      id: "no-env",
      origin: { file: "/c/settings.yaml", line: 7 },
    });
    expect(set.rules.map((rule) => rule.origin?.line)).toEqual([7, 13, 5, 12, 3, 4, 11]);
  });

  it("reads the same from JSON with comments, trailing commas and a byte-order mark", () => {
    const text =
      '\uFEFF{ // ours\r\n"$schema": "x",\r\n"permissions": { "deny": [\r\n"Shell(rm *)", /* more */ ], }, }';
    const set = parsed(text, { path: "/c/settings.json" });
    expect(lines(set)).toEqual(["deny all Shell(rm *)"]);
    expect(set).toMatchObject({ problems: [], failClosed: null });
    expect(set.rules[0]?.origin).toEqual({ file: "/c/settings.json", line: 4 });
  });

  it("counts columns without the byte-order mark", () => {
    const set = parsed('\uFEFF{"permissions": {"no": 1}}', { path: "/c/settings.json" });
    expect(set.problems[0]).toMatchObject({ line: 1, column: 18 });
  });

  it.each([
    "# nothing yet\n",
    "permissions:\n",
    "permissions: {}",
    "permissions:\n  deny:\n  subagent:\n",
    "{}",
  ])("has no rules and no problems in %j", (text) => {
    expect(parsed(text)).toEqual({ rules: [], problems: [], failClosed: null });
  });
});

describe("a file that cannot be trusted", () => {
  it.each([
    [
      "an unknown key under permissions",
      "permissions:\n  deny: [A]\n  denny: [B]",
      "3:3",
      "is an unknown key, only allow, ask, deny and subagent",
    ],
    ["another letter case", "permissions: { Deny: [A] }", "1:16", "is an unknown key"],
    [
      "an unknown key for child agents",
      "permissions:\n  subagent:\n    block: [A]",
      "3:5",
      "is an unknown key, only allow, ask and deny",
    ],
    [
      "a block in a block",
      "permissions: { subagent: { subagent: { deny: [A] } } }",
      "1:28",
      "is an unknown key",
    ],
    ["a prototype key", "permissions: { __proto__: { deny: [] } }", "1:16", "is an unknown key"],
    ["a merge key", "x: &x { deny: [A] }\npermissions:\n  <<: *x", "3:3", "is an unknown key"],
    ["a repeated list", "permissions:\n  deny: [A]\n  deny: []", "3:3", "is a key that stood here before"],
    [
      "repeated permissions",
      "permissions: { deny: [A] }\npermissions: {}",
      "2:1",
      "is a key that stood here before",
    ],
    [
      "a repeated key in a rule",
      "permissions:\n  deny:\n    - { rule: A, rule: B }",
      "3:18",
      "is a key that stood here before",
    ],
    ["a list that is a text", "permissions: { deny: Shell }", "1:22", "is no list of rules"],
    [
      "an allow list that is an object",
      "permissions: { allow: { Shell: yes } }",
      "1:23",
      "is no list of rules",
    ],
    ["permissions that are a list", "permissions: [Shell]", "1:14", "is no object"],
    ["a block that is a list", "permissions: { subagent: [Shell] }", "1:26", "is no object"],
    ["a list without permissions", "deny: [Shell]", "1:1", "stands outside permissions"],
    ["a list beside permissions", "permissions: {}\ndeny: [Shell]", "2:1", "stands outside permissions"],
    ["a block beside permissions", "permissions: {}\nsubagent: {}", "2:1", "stands outside permissions"],
    [
      "permissions that are misspelled",
      "permisions: { deny: [Shell] }",
      "1:1",
      "stands in a permission file without permissions",
    ],
    ["a file that is a list", "- Shell", "1:1", "is no permission file"],
    ["a file that is a text", "hello", "1:1", "is no permission file"],
    ["no YAML", "permissions: [", "1:15", "is no YAML"],
    ["an empty file", "", "1:1", "is empty"],
    ["white space alone", " \n\n", "1:1", "is empty"],
    ["a zero byte", "permissions:\n  deny: [\0]", "2:10", "is no UTF-8 text from here on"],
    ["bytes that are no UTF-8", "permissions: \uFFFD", "1:14", "is no UTF-8 text from here on"],
  ])("fails closed on %s, with its place", (_, text, place, message) => {
    const { failClosed, problems } = parsed(text);
    expect(failClosed).toContain(`/c/settings.yaml:${place} `);
    expect(failClosed).toContain(message);
    const [line, column] = place.split(":").map(Number);
    expect(problems[0]).toMatchObject({ file: "/c/settings.yaml", line, column });
    expect(problems[0]?.message).toMatch(/Until then everything asks\.$/);
  });

  it("keeps what else the file denies and asks", () => {
    const set = parsed("permissions:\n  deny: [Shell(rm *)]\n  extra: 1");
    expect(lines(set)).toEqual(["deny all Shell(rm *)"]);
  });

  it("finds repeated keys in JSON too, spelled with escapes as well", () => {
    const set = parsed('{"permissions": {"deny": ["A"]}, "permi\\u0073sions": {}}', {
      path: "/c/settings.json",
    });
    expect(set.failClosed).toContain("/c/settings.json:1:34 is a key that stood here before");
  });

  it("is not read with other meanings of names that every object has", () => {
    const text = '{"permissions": {"deny": [{"rule": "A", "__proto__": {"reason": "x"}}], "constructor": 1}}';
    const set = parsed(text, { path: "/c/settings.json" });
    expect(set.failClosed).toContain("is an unknown key");
    expect(set.rules).toEqual([expect.not.objectContaining({ reason: "x" })]);
    expect(Object.getPrototypeOf(set.rules[0])).toBe(Object.prototype);
  });
});

it("reports another top-level key beside permissions, and reads the rest", () => {
  const set = parsed("permissions:\n  deny: [Shell]\nmodel: x\n");
  expect(lines(set)).toEqual(["deny all Shell"]);
  expect(set.failClosed).toBeNull();
  expect(set.problems).toEqual([
    {
      file: "/c/settings.yaml",
      line: 3,
      column: 1,
      text: "model",
      message: expect.stringContaining("only permissions is") as string,
    },
  ]);
});

it("leaves out allows of a file that is not trusted, and nothing else", () => {
  const text =
    "permissions: { allow: [A], ask: [B], deny: [C], subagent: { allow: [D], ask: [E], deny: [F] } }";
  expect(lines(parsed(text, { trusted: false }))).toEqual([
    "deny all C",
    "deny subagent F",
    "ask main B",
    "ask subagent E",
  ]);
});
