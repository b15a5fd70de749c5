import type { PolicyCall, Rule } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  builtinRules,
  definePermissions,
  evaluateRules,
  parseRuleSpec,
  ruleProblems,
} from "../../src/index.js";
import { allow, ask, deny } from "../evaluate/rule-samples.js";

describe("definePermissions", () => {
  it("gives denies to everybody, allows and asks to the main agent, and the block to subagents", () => {
    const set = definePermissions({
      allow: ["Bash(ls:*)"],
      ask: [{ rule: "Bash(git push:*)", reason: "look first", id: "push" }],
      deny: ["Read(secret/**)"],
      subagent: { allow: ["Bash"], deny: ["Write"] },
    });
    expect(set).toEqual({
      problems: [],
      failClosed: null,
      rules: [
        { scope: "user", tool: "Read", pattern: "secret/**", effect: "deny", audience: "all" },
        {
          scope: "user",
          tool: "Bash",
          pattern: "git push:*",
          effect: "ask",
          audience: "main",
          reason: "look first",
          id: "push",
        },
        { scope: "user", tool: "Bash", pattern: "ls:*", effect: "allow", audience: "main" },
        { scope: "user", tool: "Write", pattern: "", effect: "deny", audience: "subagent" },
        { scope: "user", tool: "Bash", pattern: "", effect: "allow", audience: "subagent" },
      ],
    });
  });

  it("gives them the scope that it is told", () => {
    expect(definePermissions({ deny: ["Bash"] }, { scope: "managed" }).rules[0]?.scope).toBe("managed");
    expect(definePermissions({}).rules).toEqual([]);
  });

  it.each(["", "Bash(ls", "(ls)", "Bash(ls) x", "two words", "Bash)", "Bash()", "Bash( )"])(
    "refuses %j",
    (entry) => {
      expect(() => definePermissions({ allow: [entry] })).toThrow(
        expect.objectContaining({
          code: "invalid_option",
          message: expect.stringContaining(JSON.stringify(entry)),
        }),
      );
    },
  );
});

describe("a pattern of more than 4,096 characters", () => {
  const long = "?".repeat(4_097);
  const input = { command: "git status" };
  const effect = (rules: readonly Rule[], call: PolicyCall) => evaluateRules({ rules, call }).effect;

  it("is refused by definePermissions, which shows the rule's beginning only", () => {
    expect(definePermissions({ allow: [`Bash(${long.slice(1)})`] }).rules).toHaveLength(1);
    for (const list of ["allow", "ask", "deny"])
      expect(() => definePermissions({ [list]: [`Bash(${long})`] })).toThrow(
        expect.objectContaining({ code: "invalid_option", message: expect.stringMatching(/^.{80,160}$/) }),
      );
  });

  it("allows nothing, and tightens everything, in a rule from elsewhere", () => {
    for (const pattern of [long, `*${"x?".repeat(60_000)}`, "*".repeat(5_000)]) {
      const bash = { tool: "Bash", input };
      expect(effect([allow("Bash", { pattern })], bash)).toBe("ask");
      expect(effect([allow("Bash"), deny("Bash", { pattern })], bash)).toBe("deny");
      const read = { tool: "Read", input: { path: "a" } };
      expect(effect([allow("Read", { pattern })], read)).toBe("ask");
      expect(effect([allow("Read"), ask("Read", { pattern })], read)).toBe("ask");
      const fetched = { tool: "WebFetch", input: { url: "https://example.com/" } };
      expect(effect([allow("WebFetch", { pattern })], fetched)).toBe("ask");
      expect(effect([allow("WebFetch"), deny("WebFetch", { pattern })], fetched)).toBe("deny");
    }
  });

  it("is read where it is exact", () => {
    const call = { tool: "WebSearch", input: { query: long } };
    expect(effect([allow("WebSearch", { pattern: long, exact: true })], call)).toBe("allow");
    expect(ruleProblems([allow("WebSearch", { pattern: long, exact: true })])).toEqual([]);
  });

  it("is a problem of the rules", () => {
    const problems = ruleProblems([allow("Bash", { pattern: long }), deny("Bash", { pattern: long })]);
    expect(problems.map(({ message }) => message)).toEqual([
      "the pattern is longer than 4096 characters, so it allows nothing: shorten it",
      "the pattern is longer than 4096 characters, so it is read as one of the whole tool: shorten it",
    ]);
  });
});

describe("parseRuleSpec", () => {
  it("ends a pattern at the last parenthesis", () => {
    expect(parseRuleSpec("Bash(echo (a) b)")).toEqual({ tool: "Bash", pattern: "echo (a) b" });
    expect(parseRuleSpec("Bash( ls )")).toEqual({ tool: "Bash", pattern: " ls " });
    expect(parseRuleSpec("mcp__notes__*")).toEqual({ tool: "mcp__notes__*", pattern: "" });
    expect(parseRuleSpec("Bash(a\nb)")).toEqual({ tool: "Bash", pattern: "a\nb" });
  });

  it("reads back whatever pattern it is given, and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (pattern) => {
        expect(parseRuleSpec(`Bash(${pattern})`)).toEqual({ tool: "Bash", pattern });
        parseRuleSpec(pattern);
      }),
    );
  });
});

describe("builtinRules", () => {
  it("allow what looks and ask about what changes something, all at builtin scope", () => {
    const rules = builtinRules();
    const tools = (effect: string) => rules.filter((rule) => rule.effect === effect).map(({ tool }) => tool);
    expect(tools("allow")).toEqual(["Read", "ListDir", "Grep", "Glob", "WebFetch", "WebSearch", "Subagent"]);
    expect(tools("ask")).toEqual(["Shell", "Edit", "Write", "Copy", "Move", "Remove"]);
    expect(rules.every(({ scope, pattern }) => scope === "builtin" && pattern === "")).toBe(true);
    rules.length = 0;
    expect(builtinRules()).toHaveLength(13);
  });
});

describe("ruleProblems", () => {
  it("reports tools that are neither a kind, a known tool nor a pattern, with their place", () => {
    const rules = [
      allow("Bash(ls)"),
      allow(""),
      allow("mcp__git"),
      allow("mcp__git__*"),
      allow("deploy"),
      allow("edit_file"),
      allow("Subagent"),
      deny("Bsah(rm:*)", { origin: { file: "policy.yaml", line: 4 } }),
    ];
    const options = { knownTools: ["deploy"], toolKinds: { edit_file: "Edit" } };
    expect(ruleProblems(rules, options)).toEqual([
      {
        file: "policy.yaml",
        line: 4,
        text: "Bsah(rm:*)",
        message: "there is no tool or kind of tools called Bsah, so this rule never matches",
      },
    ]);
  });

  it("reports them too where the host's tools are not known, whatever the effect", () => {
    const unknown = [deny("Raed(x)"), deny("Bsh(rm:*)"), ask("deploy"), allow("deploy")];
    const known = ["Bash", "Shell", "Subagent", "Remove", "mcp__git", "mcp__git__push", "mcp__*", "dep*", ""];
    expect(ruleProblems([...unknown, ...known.map((tool) => deny(tool))]).map(({ text }) => text)).toEqual([
      "Raed(x)",
      "Bsh(rm:*)",
      "deploy",
      "deploy",
    ]);
    expect(ruleProblems([deny("Raed(x)")])[0]?.message).toBe(
      "no kind of tools is called Raed: name it among the known tools where it is the host's, or correct it",
    );
    expect(ruleProblems([deny("deploy")], { toolKinds: { deploy: "Shell" } })).toEqual([]);
    expect(ruleProblems(builtinRules())).toEqual([]);
  });

  it("says which kind was meant where only the case is wrong", () => {
    expect(ruleProblems([deny("bash(rm:*)")]).map(({ message }) => message)).toEqual([
      "there is no tool bash, and names are case-sensitive: write Bash",
    ]);
    expect(ruleProblems([deny("bash(rm:*)")], { knownTools: ["bash"] })).toEqual([]);
  });
});
