import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/evaluate/evaluate-rules.js";
import { readEntries } from "../adversarial/support/read-entries.js";
import { everydayRules } from "./everyday-rules.js";

const commands = readEntries(new URL("everyday-commands.txt", import.meta.url));

describe("what developers run all day, under one rule set", () => {
  it("is at least 150 commands under at most 40 rules, none of which allows any command", () => {
    expect(commands.length).toBeGreaterThanOrEqual(150);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    expect(everydayRules.length).toBeLessThanOrEqual(40);
    expect(everydayRules.filter(({ pattern }) => ["", "*", "**"].includes(pattern))).toEqual([]);
  });

  it.each(commands)("$id is allowed: $text", ({ text }) => {
    const { effect, reason } = evaluateRules({
      rules: everydayRules,
      call: { tool: "Bash", input: { command: text } },
    });
    expect({ effect, reason }).toMatchObject({ effect: "allow" });
  });
});
