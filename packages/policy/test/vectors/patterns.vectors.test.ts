import { describeVectors } from "@x/conformance";
import type { JsonValue } from "@x/permission-core";
import { expect, it } from "vitest";
import { matchTargets, parseRuleSpec, patternMatches } from "../../src/index.js";

describeVectors("mecatl/match", {
  it,
  run({ pattern, text, exact, matches }) {
    expect(patternMatches(pattern, text, { exact })).toBe(matches);
  },
});

describeVectors("mecatl/tool-pattern", {
  it,
  run({ call: { tool, input, inputRaw }, patterns }) {
    const value: JsonValue = inputRaw === undefined ? (input ?? null) : JSON.parse(inputRaw);
    expect(matchTargets({ tool, input: value })).toEqual(patterns);
  },
});

describeVectors("mecatl/parse-spec", {
  it,
  run({ spec, expect: answer }) {
    expect(parseRuleSpec(spec)).toEqual(answer);
  },
});
