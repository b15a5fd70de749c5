import { isPermissionGateError, type JsonValue } from "@x/permission-core";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { jsonSchemaTool } from "../src/json-schema.js";
import type { Tool } from "../src/tool.js";

function toolOf(inputSchema: JsonValue): Tool<"t", JsonValue> {
  return jsonSchemaTool({ name: "t", description: "", inputSchema, run: (input) => input });
}

function verdict(inputSchema: JsonValue, input: JsonValue): "fits" | string {
  const parsed = toolOf(inputSchema).parse?.(input) as { value: JsonValue } | { error: string };
  if ("error" in parsed) return parsed.error;
  expect(parsed.value).toBe(input);
  return "fits";
}

const person: JsonValue = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    age: { type: "integer", minimum: 0 },
    "odd/na~me #%": { type: "boolean" },
    children: { type: "array", items: { $ref: "#" } },
  },
  required: ["name"],
  additionalProperties: false,
};

afterEach(() => vi.restoreAllMocks());

describe("jsonSchemaTool", () => {
  it("infers the name, and takes the model's input as it is", async () => {
    const tool = jsonSchemaTool({
      name: "echo",
      description: "Echoes.",
      inputSchema: person,
      readOnly: true,
      kind: "Read",
      run(input) {
        expectTypeOf(input).toEqualTypeOf<JsonValue>();
        return input;
      },
    });
    expectTypeOf(tool).toEqualTypeOf<Tool<"echo", JsonValue>>();
    expect(tool).toMatchObject({
      name: "echo",
      description: "Echoes.",
      readOnly: true,
      kind: "Read",
      inputSchema: person,
    });
    const context = {
      sessionId: "s",
      runId: "r",
      isNonInteractive: false,
      signal: new AbortController().signal,
    };
    expect(await tool.call({ name: "x" }, context)).toEqual({ name: "x" });
  });

  it.each<[JsonValue, string]>([
    [{ name: "Ada", children: [{ name: "Bo" }] }, "fits"],
    [{}, 'input: Instance does not have required property "name"'],
    [{ name: 7 }, 'name: Instance type "number" is invalid. Expected "string"'],
    [{ name: "Ada", age: -1 }, "age: -1 is less than 0"],
    [{ name: "Ada", children: [{ name: "Bo" }, { name: 1 }] }, /^children\[1\]\.name: /.source],
    [{ name: "Ada", surname: "L" }, "surname: is not allowed"],
    [{ name: "Ada", "odd/na~me #%": 1 }, /^input\["odd\/na~me #%"\]: /.source],
    [null, 'input: Instance type "null" is invalid. Expected "object"'],
    [[1], 'input: Instance type "array" is invalid. Expected "object"'],
    ["x", 'input: Instance type "string" is invalid. Expected "object"'],
  ])("judges %j", (input, expected) => {
    if (expected.startsWith("^")) expect(verdict(person, input)).toMatch(new RegExp(expected));
    else expect(verdict(person, input)).toBe(expected);
  });

  it("names every field that is wrong", () => {
    expect(verdict(person, { name: 1, age: "old" })).toMatch(/^name: .*; age: /);
  });

  it("bounds the text of the error, even where a validator gives up", () => {
    const input: JsonValue = Array.from({ length: 200_000 }, () => "x");
    expect(verdict({ type: "array", items: { type: "number" } }, input).length).toBeLessThan(1_100);
  });

  it("takes true and false for schemas", () => {
    expect(verdict(true, { any: 1 })).toBe("fits");
    expect(verdict(false, {})).toBe("input: is not allowed");
  });

  it.each<[string, JsonValue, JsonValue, boolean]>([
    ["https://json-schema.org/draft/2020-12/schema", { prefixItems: [{ type: "string" }] }, [1], false],
    ["https://json-schema.org/draft/2019-09/schema", { dependentRequired: { a: ["b"] } }, { a: 1 }, false],
    [
      "http://json-schema.org/draft-07/schema#",
      { if: { required: ["a"] }, else: { required: ["b"] } },
      {},
      false,
    ],
    ["http://json-schema.org/draft-06/schema#", { exclusiveMinimum: 5 }, 5, false],
    ["http://json-schema.org/draft-04/schema#", { minimum: 5, exclusiveMinimum: true }, 5, false],
    ["http://json-schema.org/draft-04/schema#", { minimum: 5, exclusiveMinimum: false }, 5, true],
  ])("follows the draft that %s names", (dialect, keywords, input, fits) => {
    const schema = { $schema: dialect, ...(keywords as { [key: string]: JsonValue }) };
    expect(verdict(schema, input) === "fits").toBe(fits);
  });

  it("follows references under an $id of its own", () => {
    const schema = {
      $id: "https://example.com/tool.json",
      $defs: { id: { $anchor: "ident", type: "integer" } },
      properties: { a: { $ref: "#/$defs/id" }, b: { $ref: "#ident" }, c: { $ref: "tool.json#/$defs/id" } },
    };
    expect(verdict(schema, { a: 1, b: 2, c: 3 })).toBe("fits");
    expect(verdict(schema, { a: 1, b: "x" })).toMatch(/^b: /);
    expect(verdict(schema, { c: "x" })).toMatch(/^c: /);
  });

  it("neither changes the schema it was given nor follows later changes to it", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const before = structuredClone(schema);
    const tool = toolOf(schema);
    expect(Reflect.ownKeys(schema)).toEqual(Reflect.ownKeys(before));
    schema.required.length = 0;
    schema.properties.a.type = "number";
    expect(tool.inputSchema).toEqual(before);
    expect(tool.parse?.({ a: 1 })).toEqual({ error: expect.stringMatching(/^a: /) });
  });
});

describe("a broken schema", () => {
  it.each<[string, unknown, RegExp]>([
    ["no schema at all", 7, /neither an object/],
    ["null", null, /neither an object/],
    ["a list", [], /neither an object/],
    ["a value that is no JSON", { type: "string", default: new Date(0) }, /default/],
    ["an unknown type", { type: "strng" }, /'type'/],
    [
      "an unknown type within",
      { properties: { a: { items: { type: "str" } } } },
      /at #\/properties\/a\/items: 'type'/,
    ],
    ["an empty list of types", { type: [] }, /'type'/],
    ["required that is no list", { required: "a" }, /'required'/],
    ["properties that hold no schemas", { properties: { a: 5 } }, /'properties'/],
    ["an empty anyOf", { anyOf: [] }, /'anyOf'/],
    ["a pattern that does not compile", { pattern: "(" }, /'pattern'/],
    ["a key pattern that does not compile", { patternProperties: { "[": {} } }, /'patternProperties'/],
    ["a bound that is no number", { minimum: "5" }, /'minimum'/],
    ["a draft 4 bound in a later draft", { minimum: 5, exclusiveMinimum: true }, /'exclusiveMinimum'/],
    ["a negative length", { minLength: -1 }, /'minLength'/],
    ["a multiple of 0", { multipleOf: 0 }, /'multipleOf'/],
    ["lists that hold something else", { dependentRequired: { a: "b" } }, /'dependentRequired'/],
    ["an unknown draft", { $schema: "https://example.com/dialect" }, /'\$schema'/],
    [
      "a remote reference",
      { properties: { a: { $ref: "https://example.com/s.json" } } },
      /'\$ref' leads outside/,
    ],
    ["a reference to a file", { $ref: "file:///etc/passwd" }, /'\$ref' leads outside/],
    ["a reference that leads nowhere", { $ref: "#/$defs/none" }, /'\$ref' leads outside/],
    [
      "a reference forged in the validator's own words",
      { $ref: "#", __absolute_ref__: "https://example.com/x" },
      /leads outside/,
    ],
    ["a reference that is no text", { $ref: 5 }, /'\$ref'|leads/],
    ["a dynamic reference", { $dynamicRef: "#node" }, /dynamic references are not supported/],
    ["an $id that is no URI", { $id: "http://[" }, /URL/],
    ["two parts of one $id", { properties: { a: { $id: "x" }, b: { $id: "x" } } }, /Duplicate/],
  ])("is refused at definition: %s", (_, schema, why) => {
    const define = () => toolOf(schema as JsonValue);
    expect(define).toThrow(why);
    expect(define).toThrow("inputSchema of tool 't'");
    expect(define).toThrow(expect.toSatisfy((error) => isPermissionGateError(error, "invalid_option")));
  });

  it("is never a reason to fetch", () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    expect(() => toolOf({ $ref: "https://example.com/s.json" })).toThrow();
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each<[string, JsonValue]>([
    ["refers to itself", { $ref: "#" }],
    [
      "refers in a circle",
      { $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" },
    ],
  ])("refuses every input where it %s without end", (_, schema) => {
    expect(verdict(schema, {})).toBe("input: cannot be judged by the tool's schema");
  });
});

describe("hostile member names", () => {
  const hostile = JSON.parse('{"a":"x","__proto__":{"isAdmin":true}}') as JsonValue;

  it("are refused by additionalProperties: false", () => {
    expect(verdict({ properties: { a: {} }, additionalProperties: false }, hostile)).toBe(
      "__proto__: is not allowed",
    );
    expect(verdict({ properties: { a: {} }, unevaluatedProperties: false }, hostile)).toBe(
      "__proto__: is not allowed",
    );
    expect(verdict({ additionalProperties: false }, { constructor: 1 })).toBe("constructor: is not allowed");
  });

  it("are judged by a schema of their own", () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    ) as JsonValue;
    expect(verdict(schema, hostile)).toMatch(/^__proto__: /);
    expect(verdict(schema, { constructor: 1 })).toMatch(/^constructor: /);
    expect(verdict(schema, {})).toBe("fits");
  });

  it("do not count as present by inheritance", () => {
    expect(verdict({ required: ["constructor", "toString", "__proto__"] }, {})).toMatch(
      /required property "constructor"/,
    );
  });
});
