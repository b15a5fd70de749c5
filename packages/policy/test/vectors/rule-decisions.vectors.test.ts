import { describeVectors } from "@x/conformance";
import type { Rule } from "@x/permission-core";
import { expect, it } from "vitest";
import { analyzeShell, evaluateRules } from "../../src/index.js";

describeVectors("mecatl/evaluate", {
  it,
  run({ rules, learned, mode, audience, call, expect: answer }) {
    const { effect, configuredAsk, flooredConfiguredAllow } = evaluateRules({
      rules,
      learned,
      mode,
      audience,
      call,
    });
    expect({ effect, configuredAsk, flooredConfiguredAllow }).toEqual(answer);
  },
});

/** An operator's allows of every command and of every file that one writes. */
const EVERYTHING: readonly Rule[] = ["Shell", "Write", "Remove"].map((tool) => ({
  scope: "user",
  tool,
  pattern: "",
  effect: "allow",
}));

const decide = (command: string) =>
  evaluateRules({ rules: EVERYTHING, call: { tool: "Shell", input: { command } } });

describeVectors("mecatl/substitution-readonly", {
  it,
  run({ segment, readOnly }) {
    expect(decide(segment).effect === "allow").toBe(readOnly);
  },
});

describeVectors("mecatl/floored-allow-safe", {
  it,
  run({ segment, safe }) {
    const { effect, flooredConfiguredAllow } = decide(segment);
    // What only reads is below no floor: it is allowed without being floored.
    const isBelowFloor = analyzeShell(segment).parts.some(
      ({ substitutes, grouped }) => substitutes || grouped,
    );
    expect(flooredConfiguredAllow && effect === "allow").toBe(false);
    expect(flooredConfiguredAllow || (isBelowFloor && effect === "allow")).toBe(safe);
  },
});
