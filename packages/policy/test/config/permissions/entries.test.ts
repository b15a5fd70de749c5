import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lines, parsed } from "../support/rules-of.js";

const TEXTS = ["Shell(rm", "", "  ", "()", "(x)", "Sh ell(x)", "Shell(x) y", "Shell x"];

describe("a bad allow", () => {
  it.each(TEXTS)("is reported and left out: %j", (text) => {
    const set = parsed(`permissions:\n  allow:\n    - ${JSON.stringify(text)}\n    - Read\n`);
    expect(lines(set)).toEqual(["allow main Read"]);
    expect(set.failClosed).toBeNull();
    expect(set.problems).toEqual([
      {
        file: "/c/settings.yaml",
        line: 3,
        column: 7,
        text: JSON.stringify(text),
        message: "is no rule: write Tool or Tool(pattern). It allows nothing.",
      },
    ]);
  });

  it.each([
    ["a number", "5"],
    ["nothing", "null"],
    ["a list", "[Shell]"],
    ["an object without a rule", "{ reason: x }"],
    ["a rule that is no text", "{ rule: [Shell] }"],
    ["a key that means nothing, as a condition would", "{ rule: Shell, when: sunny }"],
    ["a reason that is no text", "{ rule: Shell, reason: 5 }"],
    ["an id that is no text", "{ rule: Shell, id: null }"],
    ["a rule with an empty pattern, as a template may leave it", "Shell()"],
    ["a rule with white space for a pattern", "Shell( )"],
    ["a rule with white space around its pattern", "Shell( ls)"],
    ["a rule with a wildcard inside the tool's name", "mcp__*__read"],
    ["several rules", '"Shell(ls:*) Shell(cat:*)"'],
    ["a path with alternatives in braces", '"Read(**/*.{md,txt})"'],
    ["a rule that is too long", `Shell(${"x".repeat(4096)})`],
  ])("is left out where it is %s", (_, entry) => {
    const set = parsed(`permissions: { allow: [${entry}] }`);
    expect(lines(set)).toEqual([]);
    expect(set.problems).toHaveLength(1);
    expect(set.failClosed).toBeNull();
  });
});

describe.each(["deny", "ask"])("a bad %s", (effect) => {
  const who = effect === "deny" ? "all" : "main";

  it.each([
    ["Shell(rm -rf", "Shell"],
    ["Shell (rm *)", "Shell"],
    [" mcp__git__push(x", "mcp__git__push"],
    ["Shell(x) y", "Shell"],
    ["mcp__*__push", "mcp__*"],
    ["mcp__*__push(x", "mcp__*"],
    ["*x", "*"],
    ["Sh ell(x)", "*"],
    ["", "*"],
    ["(x)", "*"],
    ["Shell x", "*"],
    ["Shell(rm:*)      Shell(dd:*)", "Shell"],
    ["Shell(rm:*), Shell(dd:*)", "Shell"],
    ["Shell(rm:*)Shell(dd:*)", "Shell"],
    ["Shell(rm:*), Read(x)", "*"],
    ["deploy(a), remove(b)", "*"],
    ["\u202eShell(x", "*"],
  ])("makes %j ask for %s", (text, tool) => {
    const set = parsed(`{"permissions": {"${effect}": [${JSON.stringify(text)}], "allow": ["Shell"]}}`);
    expect(lines(set)).toEqual([`ask ${who} ${tool}`, "allow main Shell"]);
    expect(set.failClosed).toBeNull();
    expect(set.problems[0]?.message).toContain(`Until then ${tool === "*" ? "every tool" : tool} asks.`);
    expect(set.rules[0]?.reason).toContain(`a bad ${effect} rule in /c/settings.yaml:1`);
  });

  it.each(["5", "null", "[Shell]", "{ reason: x }", "{ rule: [Shell] }"])(
    "makes every tool ask for %s",
    (entry) => {
      expect(lines(parsed(`permissions: { ${effect}: [${entry}] }`))).toEqual([`ask ${who} *`]);
    },
  );

  it("makes its tool ask where YAML reads a colon or a hash as its own", () => {
    const set = parsed(`permissions:\n  ${effect}:\n    - Shell(git commit: x)\n    - Read(a #b)\n`);
    expect(lines(set)).toEqual([`ask ${who} Shell`, `ask ${who} Read`]);
    expect(set.problems.map(({ line, text }) => [line, text])).toEqual([
      [3, "Shell(git commit: x)"],
      [4, "Read(a"],
    ]);
  });

  it("stays in force where only what is shown of it is bad", () => {
    const set = parsed(
      `permissions: { ${effect}: [{ rule: Shell(x), reson: y }, { rule: Read, reason: 5 }] }`,
    );
    expect(lines(set)).toEqual([`${effect} ${who} Shell(x)`, `${effect} ${who} Read`]);
    expect(set.problems).toHaveLength(2);
    expect(set.problems[0]?.message).toContain("It is in force all the same.");
  });

  it("stays in force where its pattern is empty or has white space around it, and without that", () => {
    const set = parsed(`permissions: { ${effect}: [Shell(), Read( ), Write( a )] }`);
    expect(lines(set)).toEqual(
      ["Shell", "Read", "Write( a )", "Write(a)"].map((text) => `${effect} ${who} ${text}`),
    );
    expect(set.problems).toHaveLength(3);
  });

  it("stays in force where it lists alternatives of a path in braces, and is reported", () => {
    const set = parsed(
      `{"permissions": {"${effect}": ["Read(**/*.{pem,key})", "Read({{x}})", "Shell(echo {a,b})"]}}`,
    );
    expect(lines(set)).toEqual(
      ["Read(**/*.{pem,key})", "Read({{x}})", "Shell(echo {a,b})"].map((text) => `${effect} ${who} ${text}`),
    );
    expect(set.problems.map(({ message }) => message)).toEqual([
      "has braces, which are literal here: write one rule for each of what they list. It is in force all the same.",
    ]);
  });

  it("takes code that has several calls", () => {
    const set = parsed(JSON.stringify({ permissions: { [effect]: ["Shell(node -e 'f(); g() || h()')"] } }));
    expect(set.problems).toEqual([]);
    expect(set.rules).toHaveLength(1);
  });

  it("asks child agents where it stands in their block", () => {
    expect(lines(parsed(`permissions: { subagent: { ${effect}: ["Shell("] } }`))).toEqual([
      "ask subagent Shell",
    ]);
  });
});

it("shows nothing of a file that a terminal would obey", () => {
  const set = parsed('{"permissions": {"allow": ["\u001b[2J\u202e"], "\u001b]0;x": 1}}', {
    path: "/c/x.yaml",
  });
  const { failClosed } = set;
  for (const text of [
    ...set.problems.flatMap((problem) => [problem.text, problem.message]),
    failClosed ?? "",
  ]) {
    expect(text).not.toMatch(/\p{Cc}|\p{Cf}/u);
  }
});

it("never loosens by a bad entry: whatever is denied in a file without it is denied or asks with it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("deny", "ask"), (text, effect) => {
      const set = parsed(JSON.stringify({ permissions: { [effect]: [text], allow: ["Read"] } }), {
        path: "/c/a.json",
      });
      const strict = set.rules.filter((rule) => rule.effect !== "allow");
      expect(set.failClosed !== null || strict.length === 1).toBe(true);
    }),
  );
});
