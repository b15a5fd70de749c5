import type { Rule } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, bashEffect, deny, SCOPES } from "./rule-samples.js";

describe("a rule list", () => {
  it("is made ready once for as long as it lives, frozen or not", () => {
    let reads = 0;
    const counted: Rule = {
      ...allow("Bash"),
      get pattern() {
        reads += 1;
        return "ls";
      },
    };
    const rules = Object.freeze([counted]);
    for (let round = 0; round < 10; round++) expect(bashEffect(rules, "ls")).toBe("allow");
    const after = reads;
    for (let round = 0; round < 10; round++) expect(bashEffect(rules, "ls")).toBe("allow");
    expect(reads).toBe(after);
  });

  it("that grew or shrank is noticed, though it should have been a new one", () => {
    const rules = [allow("Bash(ls)")];
    expect(bashEffect(rules, "ls")).toBe("allow");
    rules.push(deny("Bash(ls)"));
    expect(bashEffect(rules, "ls")).toBe("deny");
    rules.pop();
    expect(bashEffect(rules, "ls")).toBe("allow");
  });

  it("may be the rules and what was learned at once", () => {
    const rules = [allow("Bash(ls)")];
    const call = { tool: "Bash", input: { command: "ls" } };
    expect(evaluateRules({ rules, learned: rules, call }).reason).toContain("rules[0]");
    expect(evaluateRules({ rules: [], learned: rules, call }).reason).toContain("learned[0]");
  });

  it("answers many tools' names alike, the first again after the last", () => {
    const rules = [allow("tool1"), deny("tool599")];
    const effect = (name: string) => evaluateRules({ rules, call: { tool: name, input: {} } }).effect;
    const before = effect("tool1");
    for (let number = 0; number < 600; number++) effect(`tool${number}`);
    expect([before, effect("tool1"), effect("tool599")]).toEqual(["allow", "allow", "deny"]);
  });

  it("decides as if every rule were looked at by itself", () => {
    const words = fc.constantFrom("git", "git ", "g", "ls", "*", "?", "st", " -s", ":*", "é");
    const pattern = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(""));
    const rules = fc.array(
      fc.record({
        scope: fc.constantFrom(...SCOPES),
        tool: fc.constantFrom("Query", "", "Q*", "Other"),
        pattern,
        effect: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
        exact: fc.boolean(),
        audience: fc.constantFrom("all" as const, "main" as const, "subagent" as const),
      }),
      { maxLength: 12 },
    );
    const audiences = fc.constantFrom("all" as const, "main" as const, "subagent" as const);
    fc.assert(
      // Of nothing at all, what an operator speaks of elsewhere counts too.
      fc.property(
        rules,
        pattern.filter((text) => text !== ""),
        audiences,
        (list, query, audience) => {
          const call = { tool: "Query", input: { query } };
          const matching = list.filter(
            (rule) => evaluateRules({ rules: [rule], audience, call }).rule === rule,
          );
          const decision = evaluateRules({ rules: list, audience, call });
          expect(decision.rule).toBe(strongest(matching));
          expect(decision.effect).toBe(strongest(matching)?.effect ?? "ask");
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The order of precedence, spelled out once more. */
function strongest(rules: readonly Rule[]): Rule | null {
  const tiers: ((rule: Rule) => boolean)[] = [
    ({ effect }) => effect === "deny",
    ({ effect, scope }) => effect === "ask" && scope !== "builtin",
    ({ effect, scope }) => effect === "allow" && scope !== "builtin",
    ({ effect }) => effect === "ask",
    () => true,
  ];
  for (const tier of tiers) {
    const members = rules.filter(tier);
    for (const scope of SCOPES) {
      const found = members.find((rule) => rule.scope === scope);
      if (found !== undefined) return found;
    }
  }
  return null;
}
