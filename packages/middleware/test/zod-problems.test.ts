import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as mini from "zod/mini";
import { describeProblems } from "../src/input-problems.js";
import { zodProblems } from "../src/zod-problems.js";

function words(schema: mini.ZodMiniType, input: unknown): string {
  const result = mini.safeParse(schema, input);
  return result.success ? "" : describeProblems(zodProblems(result.error.issues));
}

describe("zodProblems without a locale", () => {
  // `zod` sets one for its whole process, `zod/mini` none.
  const { localeError } = mini.config();
  beforeAll(() => {
    mini.config({ localeError: undefined });
  });
  afterAll(() => {
    mini.config({ localeError });
  });

  it.each([
    [mini.string(), 1, "input: expected string"],
    [mini.object({ a: mini.object({ b: mini.boolean() }) }), { a: {} }, "a.b: expected boolean"],
    [mini.enum(["on", "off"]), "x", 'input: expected "on" or "off"'],
    [mini.string().check(mini.maxLength(3)), "abcd", "input: expected at most 3"],
    [mini.number().check(mini.lt(3)), 3, "input: expected less than 3"],
    [mini.string().check(mini.minLength(3)), "a", "input: expected at least 3"],
    [mini.number().check(mini.gt(3)), 3, "input: expected more than 3"],
    [mini.email(), "x", "input: expected the format email"],
    [mini.number().check(mini.multipleOf(5)), 3, "input: expected a multiple of 5"],
    [mini.strictObject({}), { a: 1 }, 'input: unknown: "a"'],
    [mini.string().check(mini.refine(() => false)), "x", "input: is not valid"],
    [
      mini.union([mini.string(), mini.object({ id: mini.number() })]),
      { id: "x" },
      "input: fits none of its forms: (expected string) or (id: expected number)",
    ],
  ])("words the refusal %#", (schema, input, expected) => {
    expect(words(schema, input)).toBe(expected);
  });
});
