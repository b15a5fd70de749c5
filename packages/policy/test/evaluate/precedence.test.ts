import type { Rule, RuleScope } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, ask, deny, SCOPES } from "./rule-samples.js";

const call = { tool: "Read", input: { path: "a.txt" } };
const decide = (...rules: Rule[]) => evaluateRules({ rules, call });
const PAIRS = SCOPES.flatMap((one) => SCOPES.map((other): [RuleScope, RuleScope] => [one, other]));
const CONFIGURED = SCOPES.filter((scope) => scope !== "builtin");

describe("precedence", () => {
  it.each(PAIRS)(
    "a deny of scope %s wins over an allow and an ask of scope %s, in either order",
    (one, other) => {
      const denial = deny("Read", { scope: one });
      for (const rival of [allow("Read", { scope: other }), ask("Read", { scope: other })]) {
        for (const rules of [
          [denial, rival],
          [rival, denial],
        ]) {
          const decision = decide(...rules);
          expect(decision).toMatchObject({
            effect: "deny",
            configuredAsk: false,
            flooredConfiguredAllow: false,
          });
          expect(decision.rule).toBe(denial);
        }
      }
    },
  );

  it.each(CONFIGURED.flatMap((one) => SCOPES.map((other): [RuleScope, RuleScope] => [one, other])))(
    "an ask of scope %s wins over an allow of scope %s, and is a configured one",
    (one, other) => {
      const question = ask("Read", { scope: one });
      const decision = decide(allow("Read", { scope: other }), question);
      expect(decision).toMatchObject({ effect: "ask", configuredAsk: true });
      expect(decision.rule).toBe(question);
    },
  );

  it.each(CONFIGURED)("an allow of scope %s lifts a builtin ask", (scope) => {
    const permission = allow("Read", { scope });
    const decision = decide(ask("Read", { scope: "builtin" }), permission);
    expect(decision.effect).toBe("allow");
    expect(decision.rule).toBe(permission);
  });

  it("a builtin ask wins over a builtin allow, and is no configured one", () => {
    const decision = decide(allow("Read", { scope: "builtin" }), ask("Read", { scope: "builtin" }));
    expect(decision).toMatchObject({ effect: "ask", configuredAsk: false });
  });

  it.each(["allow", "ask", "deny"] as const)(
    "of two rules that %s the stronger scope supplies the rule, then the earlier in the list",
    (effect) => {
      const weak = { ...allow("Read"), effect };
      const first = { ...allow("Read", { scope: "cli" }), effect };
      const second = { ...allow("Read", { scope: "cli" }), effect };
      expect(decide(weak, first, second).rule).toBe(first);
      expect(decide(second, weak, first).rule).toBe(second);
    },
  );

  it("what no rule matches asks, for want of a match", () => {
    for (const rules of [[], [allow("Write")], [allow("Read(b.txt)")], [deny("Read(b.txt)")]])
      expect(decide(...rules)).toMatchObject({
        effect: "ask",
        rule: null,
        basis: "no-match",
        configuredAsk: false,
        flooredConfiguredAllow: false,
        parts: [{ text: "a.txt", effect: "ask", rule: null }],
      });
  });

  it("a learned allow beats the want of a match and builtin asks, and nothing else", () => {
    const learned = [allow("Read(a.txt)", { exact: true })];
    const effect = (...rules: Rule[]) => evaluateRules({ rules, learned, call }).effect;
    expect(effect()).toBe("allow");
    expect(effect(ask("Read", { scope: "builtin" }))).toBe("allow");
    for (const scope of SCOPES) expect(effect(deny("Read", { scope }))).toBe("deny");
    for (const scope of CONFIGURED) expect(effect(ask("Read", { scope }))).toBe("ask");
    expect(
      evaluateRules({ rules: [], learned, call: { tool: "Read", input: { path: "b.txt" } } }).effect,
    ).toBe("ask");
  });

  it("names the place of a learned rule apart from that of others", () => {
    const learned = [allow("Read(a.txt)", { exact: true })];
    expect(evaluateRules({ rules: [], learned, call }).reason).toBe(
      "allowed by the user rule Read(a.txt) (learned[0])",
    );
  });

  it("a reason names scope, text, place and origin of the rule, and what the rule says itself", () => {
    const origin = { file: "policy.yaml", line: 12 };
    const decision = decide(
      allow("Read"),
      deny("Read(*.txt)", { scope: "managed", reason: "no texts", origin }),
    );
    expect(decision.reason).toBe(
      "denied by the managed rule Read(*.txt) (rules[1], policy.yaml:12): no texts",
    );
    expect(decide(ask("", { origin: { file: "x.json" } })).reason).toBe(
      "asked for by the user rule * (rules[0], x.json)",
    );
  });
});

describe("audiences", () => {
  it.each([
    [undefined, "all", true],
    [undefined, "main", true],
    [undefined, "subagent", true],
    ["all", "main", true],
    ["all", "subagent", true],
    ["main", "main", true],
    ["main", "subagent", false],
    ["main", "all", true],
    ["subagent", "subagent", true],
    ["subagent", "main", false],
    ["subagent", "all", true],
  ] as const)("a rule for %s applies to %s: %s", (own, audience, applies) => {
    for (const effect of ["allow", "deny"] as const) {
      const rules = [{ ...allow("Read", own === undefined ? {} : { audience: own }), effect }];
      expect(evaluateRules({ rules, audience, call }).effect).toBe(applies ? effect : "ask");
    }
  });
});
