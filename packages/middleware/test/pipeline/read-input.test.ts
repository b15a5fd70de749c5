import { argsDigest, argsDigestFromText, type JsonValue } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, INPUT, INPUT_DIGEST } from "../support/gate-rig.js";

/** A gate that keeps how often it was consulted, round the rig's tool. */
function countingRig() {
  let consulted = 0;
  const gate = PermissionMiddleware.fromContext().withCheck(() => {
    consulted++;
    return { kind: "allow" };
  });
  return { ...gateRig(gate), consulted: () => consulted };
}

describe("arguments given as text", () => {
  it("are parsed, and their text is digested", async () => {
    const { invoke, inputs } = countingRig();
    const result = await invoke({ inputText: ' {"path": "/tmp/x"} ' });
    expect(inputs).toEqual([INPUT]);
    expect(result.gate?.args_digest).toBe(INPUT_DIGEST);
  });

  it.each<[string, JsonValue]>([
    ['{"n":1.0}', { n: 1 }],
    ['{"n":-0}', { n: -0 }],
    ['{"n":1e2}', { n: 100 }],
  ])("of %s keep in the digest what a value loses", async (inputText, value) => {
    const { invoke, inputs } = countingRig();
    const result = await invoke({ inputText });
    expect(result.gate?.args_digest).toBe(argsDigestFromText(inputText));
    expect(result.gate?.args_digest).not.toBe(argsDigest(value));
    expect(inputs).toEqual([value]);
  });

  it("hold the last of a repeated key, in the input and in the digest", async () => {
    const { invoke, inputs } = countingRig();
    const result = await invoke({ inputText: '{"a":1,"b":0,"a":2}' });
    expect(inputs).toEqual([{ a: 2, b: 0 }]);
    expect(result.gate?.args_digest).toBe(argsDigest({ a: 2, b: 0 }));
  });

  it("hold __proto__ as a key of their own, which reaches no prototype", async () => {
    const text = '{"__proto__":{"admin":true},"a":1}';
    const { invoke, inputs } = countingRig();
    const result = await invoke({ inputText: text });
    const [input] = inputs as [{ admin?: boolean }];
    expect(Object.hasOwn(input, "__proto__")).toBe(true);
    expect(input.admin).toBeUndefined();
    expect(result.gate?.args_digest).toBe(argsDigestFromText(text));
    expect(result.gate?.args_digest).not.toBe(argsDigest({ a: 1 }));
  });

  it("may be any JSON value", async () => {
    for (const text of ["null", "false", "0", '""', "[]", "[1]"]) {
      const { invoke, inputs } = countingRig();
      expect((await invoke({ inputText: text })).isError).toBe(false);
      expect(inputs).toEqual([JSON.parse(text)]);
    }
  });
});

describe("arguments that cannot be taken at their word are a validation error, and no gate is consulted", () => {
  const refused = async (call: Parameters<ReturnType<typeof countingRig>["invoke"]>[0], words: RegExp) => {
    const { invoke, inputs, consulted } = countingRig();
    const result = await invoke(call);
    expect(result).toMatchObject({
      isError: true,
      errorKind: "validation",
      gate: null,
      trail: [],
      durationMs: 0,
    });
    expect(result.output).toMatch(words);
    expect(inputs).toEqual([]);
    expect(consulted()).toBe(0);
    return result;
  };

  it.each([
    "",
    "{",
    '{"a":}',
    "{'a':1}",
    '{"a":1} x',
    "undefined",
    '"\\ud800"',
    "\ufeff{}",
    "01",
    "1e999",
    '{"a":1,}',
  ])("text that does not parse: %j", async (inputText) => {
    await refused({ inputText }, /^The arguments do not parse: /);
  });

  it.each(["9007199254740993", "-9007199254740993", "18446744073709551615", "12345678901234567890123"])(
    "the integer %s, which JavaScript would round",
    async (integer) => {
      const result = await refused({ inputText: `{"id":${integer}}` }, /cannot be represented exactly/);
      expect(result.output).toContain(integer);
    },
  );

  it("such an integer at any depth, and not what only looks like one", async () => {
    await refused({ inputText: '[[{"a":[9007199254740993]}]]' }, /cannot be represented exactly/);
    for (const text of [
      '"9007199254740993"',
      '"\\"9007199254740993"',
      "9007199254740992",
      "-9007199254740992",
      "9007199254740993.5",
    ]) {
      expect((await countingRig().invoke({ inputText: text })).isError).toBe(false);
    }
  });

  it.each<[string, unknown]>([
    ["another value", { a: 2 }],
    ["fewer members", {}],
    ["more members", { a: 1, b: 2 }],
    ["what is no JSON value", { a: new Date(0) }],
    ["null", null],
  ])("a value beside the text that differs: %s", async (_, input) => {
    await refused({ inputText: '{"a":1}', input }, /the two differ/);
  });

  it.each<unknown>([5, null, {}, ["{}"]])("a text that is none: %j", async (inputText) => {
    await refused({ inputText: inputText as string }, /do not parse/);
  });

  it("a text beyond what the walk over it may nest", async () => {
    await refused({ inputText: "[".repeat(600) + "]".repeat(600) }, /do not parse/);
  });
});

describe("a value beside its text", () => {
  it("that says the same is fine, and what the text says runs", async () => {
    const { invoke, inputs } = countingRig();
    const beside = { b: [1], a: "x" };
    await invoke({ inputText: '{"a":"x","b":[1.0]}', input: beside });
    expect(inputs).toEqual([beside]);
    expect(inputs[0]).not.toBe(beside);
  });

  it("of undefined counts as none", async () => {
    expect((await countingRig().invoke({ inputText: "{}", input: undefined })).isError).toBe(false);
  });
});

it("a long text with long strings is read in no time to speak of", async () => {
  const { invoke, inputs } = countingRig();
  const text = JSON.stringify({
    content: 'line with "quotes" and \\ and 9007199254740993\n'.repeat(300_000),
  });
  expect((await invoke({ inputText: text })).isError).toBe(false);
  expect(inputs).toHaveLength(1);
});

it("a value is digested as the text that JSON.stringify makes of it, whatever it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (value) => {
      const { invoke } = countingRig();
      const byValue = await invoke({ input: value });
      const byText = await invoke({ inputText: JSON.stringify(value) });
      expect(byText.errorKind === "validation" || byText.gate !== null).toBe(true);
      if (byText.gate !== null && argsDigestFromText(JSON.stringify(value)) === argsDigest(value)) {
        expect(byText.gate).toEqual(byValue.gate);
      }
    }),
    { numRuns: 100 },
  );
});

describe("an input that is no JSON value", () => {
  it.each<[string, unknown, string]>([
    ["undefined", undefined, "$"],
    ["NaN", Number.NaN, "$"],
    ["a bigint", { n: 1n }, "$.n"],
    ["a date", [new Date(0)], "$[0]"],
    ["a lone surrogate", { s: "\ud800" }, "$.s"],
    ["a class instance", new (class Point {})(), "$"],
  ])("is denied without a digest: %s", async (_, input, path) => {
    const { invoke, inputs, consulted } = countingRig();
    const result = await invoke({ input });
    expect(result.gate).toMatchObject({
      verdict: "deny",
      rule_id: "engine",
      rule_source: "engine",
      reason: `policy error: not_json at ${path}`,
      args_digest: "",
    });
    expect(result).toMatchObject({
      errorKind: "permission",
      output: `Permission policy error: not_json at ${path} for tool 't'`,
    });
    expect(inputs).toEqual([]);
    expect(consulted()).toBe(0);
  });
});
