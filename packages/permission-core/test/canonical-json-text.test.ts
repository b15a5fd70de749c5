import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../src/canonical-json.js";
import { canonicalJsonFromText } from "../src/canonical-json-text.js";
import { isPermissionGateError } from "../src/errors.js";
import { jsonValue, wellFormedText } from "./json-arbitraries.js";

describe("canonicalJsonFromText keeps how numbers are spelled", () => {
  it.each([
    ["1", "1"],
    ["1.0", "1.0"],
    ["0", "0"],
    ["-0", "-0.0"],
    ["-0.0", "-0.0"],
    ["0e5", "0.0"],
    ["-1", "-1"],
    ["1.50", "1.5"],
    ["1e2", "100.0"],
    ["1E+2", "100.0"],
    ["123.456", "123.456"],
    ["-12.5e-1", "-1.25"],
    ["1000000.0", "1000000.0"],
    ["1e15", "1000000000000000.0"],
    ["1e16", "1e16"],
    ["1.25e16", "1.25e16"],
    ["1234567890123456.5", "1234567890123456.5"],
    ["1e20", "1e20"],
    ["0.001", "0.001"],
    ["1e-5", "0.00001"],
    ["0.00001234", "0.00001234"],
    ["1e-6", "1e-6"],
    ["1.5e-7", "1.5e-7"],
    ["5e-324", "5e-324"],
    ["1e-400", "0.0"],
    ["-1e-400", "-0.0"],
    ["1.7976931348623157e308", "1.7976931348623157e308"],
    ["9007199254740993", "9007199254740993"],
    ["9007199254740993.0", "9007199254740992.0"],
    ["18446744073709551615", "18446744073709551615"],
    ["18446744073709551616", "1.8446744073709552e19"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["-9223372036854775809", "-9.223372036854776e18"],
    ["100000000000000000000", "1e20"],
  ])("%s becomes %s", (text, canonical) => {
    expect(canonicalJsonFromText(text)).toBe(canonical);
  });

  it("spells every binary64 so that it reads back, always with a fraction or an exponent", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const sign = value < 0 || Object.is(value, -0) ? "-" : "";
        const literal = sign + Math.abs(value).toExponential();
        const canonical = canonicalJsonFromText(literal);
        expect(Number(canonical)).toBe(value);
        expect(canonical).toMatch(/[.e]/);
        expect(canonicalJsonFromText(canonical)).toBe(canonical);
      }),
    );
  });
});

describe("canonicalJsonFromText reads strict JSON", () => {
  it.each([
    [' {\t"a" :\r\n1 , "b":[ 1 , 2 ] } ', '{"a":1,"b":[1,2]}'],
    ["[ ]", "[]"],
    ["{ }", "{}"],
    ['"\\u0041\\/\\u00e9"', '"A/é"'],
    ['"\\u0000\\u0001\\u001f\\u007f"', '"\\u0000\\u0001\\u001f\u007f"'],
    ['"\\b\\t\\n\\f\\r\\"\\\\"', '"\\b\\t\\n\\f\\r\\"\\\\"'],
    ['"\\u2028\\uFEFF\\uffff"', '"\u2028\ufeff\uffff"'],
    ['"\\ud83d\\ude00 😀"', '"😀 😀"'],
    ['{"\\ue000":1,"\\ud83d\\ude00":2,"z":3,"\\uffff":4}', '{"z":3,"\ue000":1,"\uffff":4,"😀":2}'],
    ['{"a":1,"b":2,"a":{"c":3}}', '{"a":{"c":3},"b":2}'],
    ['{"\\u0061":1,"a":2}', '{"a":2}'],
    ['{"__proto__":1,"10":2,"9":3}', '{"10":2,"9":3,"__proto__":1}'],
    ["[true,false,null]", "[true,false,null]"],
  ])("%s", (text, canonical) => {
    expect(canonicalJsonFromText(text)).toBe(canonical);
  });

  it.each<[text: string, offset: number, problem: string]>([
    ["", 0, "expected a value"],
    ["  ", 2, "expected a value"],
    ["NaN", 0, "expected a value"],
    ["nul", 0, "expected a value"],
    ["\ufeff1", 0, "expected a value"],
    ["+1", 0, "expected a value"],
    ["-", 0, "expected a value"],
    [".5", 0, "expected a value"],
    ["01", 1, "expected the end of the text"],
    ["1.", 1, "expected the end of the text"],
    ["1e", 1, "expected the end of the text"],
    ["0x1", 1, "expected the end of the text"],
    ["1 2", 2, "expected the end of the text"],
    ["[1] // no", 4, "expected the end of the text"],
    ["1\u00a0", 1, "expected the end of the text"],
    ["[1,]", 3, "expected a value"],
    ["[1 2]", 3, "expected `,` or `]`"],
    ["[", 1, "expected a value"],
    ['{"a":1,}', 7, "expected a member name in double quotes"],
    ["{a:1}", 1, "expected a member name in double quotes"],
    ["{'a':1}", 1, "expected a member name in double quotes"],
    ['{"a" 1}', 5, "expected `:`"],
    ['{"a":1 "b":2}', 7, "expected `,` or `}`"],
    ['["a', 3, "a string that does not end"],
    ['"\\', 1, "an escape that JSON does not have"],
    ['"\\x41"', 1, "an escape that JSON does not have"],
    ['"\\u12g4"', 1, "expected four hex digits after `\\u`"],
    ['"a\nb"', 2, "a raw control character in a string"],
    ['"\\ud800"', 1, "the escape of a lone surrogate"],
    ['"x\\udc00\\ud800"', 2, "the escape of a lone surrogate"],
    ['"\\udc00\\udc00"', 1, "the escape of a lone surrogate"],
    ['"\\ud800\\u0041"', 1, "the escape of a lone surrogate"],
    ['"\\ud83d\ude00"', 1, "the escape of a lone surrogate"],
    ['"\ud83d\\ude00"', 1, "a lone surrogate"],
    ['{"\ud800":1}', 2, "a lone surrogate"],
    ['"\udc00"', 1, "a lone surrogate"],
    ["[1e400]", 1, "a number out of range"],
    [`-${"9".repeat(400)}`, 0, "a number out of range"],
  ])("refuses %j at %i", (text, offset, problem) => {
    expect(messageOf(text)).toBe(`JSON text does not parse: ${problem} at offset ${offset}`);
  });

  it("takes nesting of 512 and refuses 513, whatever follows", () => {
    expect(canonicalJsonFromText(`${"[".repeat(512)}${"]".repeat(512)}`)).toHaveLength(1024);
    expect(messageOf(`${"[".repeat(513)}${"]".repeat(513)}`)).toContain("nesting beyond 512 at offset 512");
    expect(messageOf('{"a":'.repeat(5_000_000))).toContain("nesting beyond 512 at offset 2560");
  });

  it("takes strings and arrays of millions of units", () => {
    const text = JSON.stringify(["x\n".repeat(2_000_000), "€".repeat(2_000_000)]);
    expect(canonicalJsonFromText(text)).toBe(text);
  });
});

describe("canonicalJsonFromText beside canonicalJson", () => {
  const withoutFractions = jsonValue.filter((value) => onlyIntegers(value));

  it("agrees on the text of every value whose numbers are integers that JSON.stringify writes plainly", () => {
    fc.assert(
      fc.property(withoutFractions, fc.constantFrom(0, 2, "\t"), (value, space) => {
        expect(canonicalJsonFromText(JSON.stringify(value, null, space))).toBe(canonicalJson(value));
      }),
    );
  });

  it("takes and refuses the texts that JSON.parse does, lone surrogates and overflow apart", () => {
    const fragment = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "1",
      "-",
      ".",
      "e",
      "0",
      "true",
      "null",
      " ",
      "\\",
      "u",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fragment, { maxLength: 9 }).map((parts) => parts.join("")),
          wellFormedText,
        ),
        (text) => {
          fc.pre(!/e\d{3}/.test(text));
          expect(messageOf(text) === null).toBe(parses(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function onlyIntegers(value: unknown): boolean {
  // Beyond what 64 bits hold, the text of an integer is read as a float: at -2^63 JSON.stringify already rounds past it.
  if (typeof value === "number") return Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 64;
  return typeof value !== "object" || value === null || Object.values(value).every(onlyIntegers);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Null where it parses. */
function messageOf(text: string): string | null {
  try {
    canonicalJsonFromText(text);
    return null;
  } catch (error) {
    if (!isPermissionGateError(error, "bad_json")) throw error;
    return error.message;
  }
}
