import { describe, expect, it } from "vitest";
import { evaluateRules, explainRules } from "../../src/index.js";
import { allow, ask, deny } from "./rule-samples.js";

const rules = [
  allow("Bash(git:*)"),
  deny("Bash(git push:*)"),
  ask("Bash", { scope: "builtin" }),
  allow("", { scope: "cli" }),
  deny("Bash(git push *)", { scope: "managed" }),
];
const explain = (command: string, more: Partial<Parameters<typeof explainRules>[0]> = {}) =>
  explainRules({ rules, call: { tool: "Bash", input: { command } }, ...more });

describe("explainRules", () => {
  it("gives every rule that matched, in order, and which one decided", () => {
    const { parts } = explain("git push origin");
    expect(parts).toHaveLength(1);
    expect(parts[0]?.matched.map(({ place, decided }) => [place, decided])).toEqual([
      ["rules[0]", false],
      ["rules[1]", false],
      ["rules[2]", false],
      ["rules[3]", false],
      ["rules[4]", true],
    ]);
    expect(parts[0]?.matched[4]?.rule).toBe(rules[4]);
    expect(parts[0]?.why).toBe("A deny at any scope wins; its scope is the strongest of its kind.");
  });

  it.each([
    [
      "git status",
      "Nothing denies and no operator asks, and an allow lifts what is built in; its scope is the strongest of its kind.",
    ],
    [
      "zap",
      "Nothing denies and no operator asks, and an allow lifts what is built in; no other of its kind matches.",
    ],
  ])("says why the winner won for %s", (command, why) => {
    expect(explain(command).parts[0]?.why).toBe(why);
  });

  it.each([
    [
      [ask("Bash"), allow("Bash")],
      "Nothing denies, and an operator's ask wins over every allow; no other of its kind matches.",
    ],
    [
      [deny("Bash"), deny("Bash(l*)")],
      "A deny at any scope wins; it is the first of the strongest scope of its kind.",
    ],
    [[allow("Bash")], "It is the only rule that matches."],
    [[], "No rule matches it, and what no rule speaks of asks."],
    [
      [ask("Bash", { scope: "builtin" }), allow("", { scope: "builtin" })],
      "Only built-in rules match, and of these an ask wins over an allow; no other of its kind matches.",
    ],
  ])("says why for the rules %j", (list, why) => {
    expect(explain("ls", { rules: list }).parts[0]?.why).toBe(why);
  });

  it("says what decided where no rule did", () => {
    const everything = [allow("")];
    expect(explain("rm x", { rules: everything, mode: "plan" }).parts[0]).toMatchObject({
      matched: [],
      why: "Plan mode denies before any rule is looked at.",
    });
    expect(explain("eval x", { rules: everything }).parts[0]?.why).toMatch(
      /^No allow covers what cannot be read/,
    );
    expect(explain("zap $(zap)", { rules: everything }).parts[0]?.why).toMatch(/^An allow covers it, but/);
  });

  it("names what decided the whole, and what a mode added", () => {
    expect(explain("ls && git push x").why).toMatch(
      /^The first part that is denied is "git push x": denied by/,
    );
    expect(explain("zap; zop", { rules: [] }).why).toBe(
      'The first part that asks is "zap": no rule allows it.',
    );
    expect(explain("ls; git log").why).toMatch(/^Every part is allowed, the first being "ls"/);
    const edit = { tool: "Edit", input: { path: "a" } };
    const { parts, decision } = explainRules({ rules: [], mode: "accept-edits", call: edit });
    expect(parts[0]?.matched.map(({ place }) => place)).toEqual(["mode[0]"]);
    expect(decision.rule).toMatchObject({ scope: "cli", id: "accept-edits" });
  });

  it("has learned rules behind the others", () => {
    const learned = [allow("Bash(ls)", { exact: true })];
    const { parts } = explain("ls", { learned });
    expect(parts[0]?.matched.map(({ place }) => place)).toEqual(["rules[2]", "rules[3]", "learned[0]"]);
  });

  it("gives the decision that evaluateRules gives", () => {
    for (const command of ["git push", "ls $X > f; eval x", "timeout 5 (", "git status $(zap)", ""]) {
      const request = { rules, call: { tool: "Bash", input: { command } } };
      expect(explainRules(request).decision).toEqual(evaluateRules(request));
    }
  });
});
