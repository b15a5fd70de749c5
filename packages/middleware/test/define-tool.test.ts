import { isPermissionGateError, type JsonValue } from "@x/permission-core";
import fc from "fast-check";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import { defineTool } from "../src/define-tool.js";
import type { Tool, ToolContext } from "../src/tool.js";

const context: ToolContext = {
  sessionId: "s",
  runId: "r",
  isNonInteractive: false,
  signal: new AbortController().signal,
};

const readFile = defineTool({
  name: "read_file",
  description: "Reads a file.",
  input: z.object({ path: z.string().min(1), limit: z.number().int().default(100) }),
  readOnly: true,
  kind: "Read",
  run: ({ path, limit }) => `${path}:${limit}`,
});

/** What `parse` says at once; fails where it gives a promise. */
function parseNow(tool: Tool, input: JsonValue): unknown {
  const parsed = tool.parse?.(input);
  expect(parsed).not.toBeInstanceOf(Promise);
  return parsed;
}

function errorOf(tool: Tool, input: JsonValue): string {
  const parsed = parseNow(tool, input);
  expect(parsed).toEqual({ error: expect.any(String) });
  return (parsed as { error: string }).error;
}

describe("defineTool", () => {
  it("infers the name as a literal and the input from the schema's output", () => {
    expectTypeOf(readFile).toEqualTypeOf<Tool<"read_file", { path: string; limit: number }>>();
    expectTypeOf(readFile.name).toEqualTypeOf<"read_file">();
    defineTool({
      name: "t",
      description: "",
      input: mini.object({ tags: mini.optional(mini.array(mini.string())) }),
      run(input, runContext) {
        expectTypeOf(input).toEqualTypeOf<{ tags?: string[] | undefined }>();
        expectTypeOf(runContext).toEqualTypeOf<ToolContext>();
      },
    });
  });

  it("carries what it was given, and leaves out what it was not", () => {
    expect(readFile).toMatchObject({
      name: "read_file",
      description: "Reads a file.",
      readOnly: true,
      kind: "Read",
    });
    const bare = defineTool({ name: "bare", description: "", input: z.object({}), run: () => null });
    expect(Object.keys(bare)).toEqual(["name", "description", "inputSchema", "parse", "call"]);
  });

  it("runs with the parsed input and the call's context", async () => {
    const tool = defineTool({
      name: "t",
      description: "",
      input: z.object({ n: z.number() }),
      run: ({ n }, { sessionId }) => [n, sessionId],
    });
    expect(await tool.call({ n: 1 }, context)).toEqual([1, "s"]);
  });

  it("tells the model the input side: a default is optional there", () => {
    expect(readFile.inputSchema).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        path: { type: "string", minLength: 1 },
        limit: { default: 100, type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
      },
      required: ["path"],
    });
  });

  it("takes zod/mini schemas, recursive ones too", () => {
    const Node = mini.object({
      name: mini.string(),
      get children() {
        return mini.array(Node);
      },
    });
    const tool = defineTool({ name: "tree", description: "", input: Node, run: () => null });
    expect(parseNow(tool, { name: "a", children: [{ name: "b", children: [] }] })).toEqual({
      value: { name: "a", children: [{ name: "b", children: [] }] },
    });
    expect(errorOf(tool, { name: "a", children: [{ name: 1, children: [] }] })).toMatch(
      /^children\[0\]\.name: /,
    );
  });

  it.each([
    ["a date", z.object({ at: z.date() }), /Date/],
    ["a coerced date", z.object({ at: z.coerce.date() }), /Date/],
    ["a transform with no input side", z.object({ n: z.transform(Number) }), /Transform/],
    ["a bigint", z.object({ n: z.bigint() }), /BigInt/],
    ["a map", z.map(z.string(), z.string()), /Map/],
    ["a custom type", z.object({ x: z.custom(() => true) }), /Custom/],
  ])("refuses %s at definition, naming the tool and the reason", (_, input, why) => {
    const define = () => defineTool({ name: "bad_tool", description: "", input, run: () => null });
    expect(define).toThrow(why);
    expect(define).toThrow("'bad_tool'");
    expect(define).toThrow(expect.toSatisfy((error) => isPermissionGateError(error, "invalid_option")));
  });

  it.each([
    ["an empty name", { name: "" }],
    ["a run that is no function", { run: "x" }],
  ])("refuses %s", (_, broken) => {
    const definition = { name: "t", description: "", input: z.object({}), run: () => null };
    expect(() => defineTool({ ...definition, ...broken } as typeof definition)).toThrow(
      expect.toSatisfy((error) => isPermissionGateError(error, "invalid_option")),
    );
  });
});

describe("the parse of a defined tool", () => {
  it("gives the parsed value at once: defaults filled in, unknown keys dropped as zod drops them", () => {
    expect(parseNow(readFile, { path: "/x", extra: true })).toEqual({ value: { path: "/x", limit: 100 } });
  });

  it("refuses unknown keys where the schema is strict, naming them", () => {
    const tool = defineTool({
      name: "t",
      description: "",
      input: z.strictObject({ a: z.string() }),
      run: () => null,
    });
    expect(errorOf(tool, { a: "x", b: 1, c: 2 })).toMatch(/"b".*"c"|"c".*"b"/);
  });

  it("names every field that is wrong, and what is wrong with it", () => {
    const error = errorOf(readFile, { path: "", limit: "many" });
    expect(error).toMatch(/path: Too small/);
    expect(error).toMatch(/; limit: Invalid input: expected number, received string/);
  });

  it("names a missing field", () => {
    expect(errorOf(readFile, {})).toMatch(/^path: .*string/);
  });

  it.each([[null], [[1]], ["x"], [7], [true]])("refuses %j as a whole", (input) => {
    expect(errorOf(readFile, input)).toMatch(/^input: .*expected object/);
  });

  it("names fields whose names are no identifiers, on one line", () => {
    const tool = defineTool({
      name: "t",
      description: "",
      input: z.record(z.string(), z.array(z.number())),
      run: () => null,
    });
    expect(errorOf(tool, { "odd\nname": [1, "x"] })).toMatch(/^input\["odd\\nname"\]\[1\]: /);
  });

  it("tells why each form of a union does not fit", () => {
    const input = z.object({ to: z.union([z.string(), z.object({ id: z.number() })]) });
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    expect(errorOf(tool, { to: { id: "x" } })).toMatch(
      /^to: fits none of its forms: \(.*string.*\) or \(id: .*number.*\)$/,
    );
  });

  it("names the key that a record refuses, and why", () => {
    const input = z.record(z.string().regex(/^a/), z.number());
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    expect(errorOf(tool, { b: 1 })).toMatch(/^b: .*pattern/);
  });

  it("speaks the schema's own words", () => {
    const input = z.object({ n: z.number({ error: "give a number of seats" }) });
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    expect(errorOf(tool, { n: "x" })).toBe("n: give a number of seats");
  });

  it("bounds the text, however much is wrong and however long the model's own keys are", () => {
    const strict = defineTool({ name: "t", description: "", input: z.strictObject({}), run: () => null });
    expect(errorOf(strict, { ["😀".repeat(5_000)]: 1 }).length).toBeLessThan(1_100);
    const list = defineTool({ name: "t", description: "", input: z.array(z.number()), run: () => null });
    expect(
      errorOf(
        list,
        Array.from({ length: 500 }, () => "x"),
      ),
    ).toMatch(/; and 490 more$/);
  });

  it("never lets a __proto__ member through as a prototype", () => {
    const input = z.looseObject({ a: z.string() });
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    const parsed = parseNow(tool, JSON.parse('{"a":"x","__proto__":{"isAdmin":true}}')) as {
      value: { isAdmin?: boolean };
    };
    expect(parsed.value.isAdmin).toBeUndefined();
  });

  it("agrees with zod on any input", () => {
    const input = z.object({ a: z.string(), b: z.optional(z.array(z.int())) });
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    const near = fc.record(
      { a: fc.oneof(fc.string(), fc.integer()), b: fc.array(fc.oneof(fc.integer(), fc.double())) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.jsonValue()), (value) => {
        const expected = input.safeParse(value);
        const parsed = parseNow(tool, value as JsonValue);
        if (expected.success) expect(parsed).toEqual({ value: expected.data });
        else expect(parsed).toEqual({ error: expect.stringMatching(/./) });
      }),
    );
  });
});

describe("asynchronous schemas", () => {
  it("waits for a refinement, which runs once a call", async () => {
    let runs = 0;
    const input = z.object({
      user: z.string().refine(async (user) => {
        runs += 1;
        return user === "known";
      }, "is unknown here"),
    });
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    expect(await tool.parse?.({ user: "known" })).toEqual({ value: { user: "known" } });
    expect(await tool.parse?.({ user: "other" })).toEqual({ error: "user: is unknown here" });
    expect(runs).toBe(2);
  });

  const strays: unknown[] = [];
  const collect = (reason: unknown) => strays.push(reason);
  afterEach(() => process.off("unhandledRejection", collect));

  it("rejects with what a refinement throws, and leaves no rejection behind", async () => {
    process.on("unhandledRejection", collect);
    const input = z.object({
      user: z.string().refine(async () => {
        throw new Error("directory is down");
      }),
    });
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    await expect(tool.parse?.({ user: "x" })).rejects.toThrow("directory is down");
    await new Promise(setImmediate);
    expect(strays).toEqual([]);
  });

  it("throws at once what a synchronous refinement throws", () => {
    const input = z.string().refine(() => {
      throw new Error("refinement broke");
    });
    const tool = defineTool({ name: "t", description: "", input, run: () => null });
    expect(() => tool.parse?.("x")).toThrow("refinement broke");
  });

  it("gives a transform's output, and tells the model its input", async () => {
    const input = z.object({ n: z.string().transform(Number) });
    const tool = defineTool({ name: "t", description: "", input, run: ({ n }) => n + 1 });
    expectTypeOf(tool).toEqualTypeOf<Tool<"t", { n: number }>>();
    expect(tool.inputSchema).toMatchObject({ properties: { n: { type: "string" } } });
    expect(await tool.parse?.({ n: "41" })).toEqual({ value: { n: 41 } });
  });
});
