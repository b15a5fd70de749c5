import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConfigNode } from "../../../src/config/syntax/config-node.js";
import { ConfigSyntaxError } from "../../../src/config/syntax/config-syntax-error.js";
import { parseJson } from "../../../src/config/syntax/parse-json.js";

describe("what JSON with comments may be", () => {
  it("reads comments of both kinds and trailing commas", () => {
    const text = '// first\n{ /* a */ "a": [1, "x", /* b */ ], // c\n "b": {"c": null,},\n}\n// end';
    expect(plain(parseJson(text))).toEqual({ a: [other, "x"], b: { c: null } });
  });

  it("takes slashes and braces inside a text for text", () => {
    expect(plain(parseJson('{"a": "http://x/*y*/ \\"}] \\\\"}'))).toEqual({ a: 'http://x/*y*/ "}] \\' });
  });

  it("keeps every place", () => {
    const root = parseJson('\n{ "a": [ "bc" ] }');
    if (root.type !== "map") throw new Error("no map");
    const [entry] = root.entries;
    expect([root.offset, root.end, entry?.offset, entry?.end]).toEqual([1, 18, 3, 16]);
  });

  it("reads whatever JSON there is as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(plain(parseJson(text))).toEqual(withoutNumbers(JSON.parse(text)));
      }),
    );
  });
});

describe("what no JSON is", () => {
  it.each([
    ["", 0],
    ["{", 1],
    ["[1 2]", 3],
    ["{a: 1}", 1],
    ['{"a" 1}', 5],
    ['{"a": }', 6],
    ['{"a": 1}}', 8],
    ["[,]", 1],
    ["[1,,]", 3],
    ['{"a": "b}', 6],
    ['{"a": "b\nc"}', 6],
    ['{"a": "\\x"}', 6],
    ['["\u0001"]', 1],
    ['["\\', 1],
    ["/* x", 0],
    ["{} /", 3],
    ["undefined", 0],
    ["[01]", 2],
    ["[+1]", 1],
    ["NaN", 0],
    ["'a'", 0],
    ["# yaml", 0],
  ])("refuses %j with its place", (text, offset) => {
    expect(failure(text).offset).toBe(offset);
  });

  it("refuses what is nested too deep, without running out of stack", () => {
    expect(failure("[".repeat(200_000)).message).toContain("nested more than 64 deep");
    expect(failure('{"a":'.repeat(50_000)).message).toContain("nested more than 64 deep");
    expect(parseJson(`${"[".repeat(64)}${"]".repeat(64)}`).type).toBe("list");
  });

  it("never fails in another way, whatever the text", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ",",
      ":",
      "/",
      "*",
      "\n",
      "a",
      "1",
      "null",
      "//",
      "/*",
      "*/",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        try {
          parseJson(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigSyntaxError);
          expect((error as ConfigSyntaxError).offset).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

const other = "a number or a boolean";

function plain(node: ConfigNode): unknown {
  if (node.type === "list") return node.items.map(plain);
  if (node.type === "map")
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  if (node.type === "text") return node.value;
  return node.type === "nothing" ? null : other;
}

function withoutNumbers(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return other;
  if (Array.isArray(value)) return value.map(withoutNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNumbers(item)]));
}

function failure(text: string): ConfigSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return error;
    throw error;
  }
  throw new Error(`was read: ${text}`);
}
