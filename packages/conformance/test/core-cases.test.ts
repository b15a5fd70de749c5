import {
  argsDigest,
  argsDigestFromText,
  canonicalJson,
  canonicalJsonFromText,
  isPermissionGateError,
} from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { caseById } from "../src/index.js";

describe("canonical JSON, as users met it", () => {
  it("[CASE-115] refuses a lone surrogate wherever it stands, and takes pairs and a real U+FFFD", () => {
    for (const value of [{ a: "\uD800" }, { "\uDC00": 1 }, ["\uDEAD"], "\uD83D", "x\uDE00y"]) {
      expect(codeOf(() => canonicalJson(value))).toBe("not_json");
      expect(codeOf(() => argsDigest(value))).toBe("not_json");
    }
    expect(codeOf(() => canonicalJsonFromText(String.raw`{"a":"\ud800"}`))).toBe("bad_json");
    expect(canonicalJson({ a: "\uD83D\uDE00" })).toBe('{"a":"😀"}');
    expect(canonicalJson({ a: "\uFFFD" })).toBe('{"a":"\uFFFD"}');
  });

  it("[CASE-117] refuses every value that is no JSON, and reads a getter once", () => {
    let reads = 0;
    const counting = {
      get a() {
        reads += 1;
        return reads;
      },
    };
    expect(canonicalJson(counting)).toBe('{"a":1}');
    expect(reads).toBe(1);
    const boxed: unknown = Object(1);
    const values = [{ f() {} }, [() => 1], { n: boxed }, { d: { toJSON: (key: string) => key } }, { b: 1n }];
    for (const value of values) expect(codeOf(() => canonicalJson(value))).toBe("not_json");
  });

  it("[CASE-118] keeps an own __proto__ key, and changes no prototype", () => {
    const withKey = '{"__proto__":{"x":1},"a":1}';
    expect(argsDigest(JSON.parse(withKey))).not.toBe(argsDigest(JSON.parse('{"a":1}')));
    expect(canonicalJson(JSON.parse(withKey))).toBe(withKey);
    expect(canonicalJsonFromText(withKey)).toBe(withKey);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("[CASE-123] tells integers beyond 2^53 apart where the text is at hand", () => {
    const { json } = caseById("CASE-123").input;
    expect(json).toBe('{"id":9007199254740993}');
    expect(canonicalJsonFromText(String(json))).toBe(json);
    expect(argsDigestFromText('{"id":9007199254740993}')).not.toBe(
      argsDigestFromText('{"id":9007199254740992}'),
    );
    // Parsed, they are one value: what would run has another digest than the text.
    expect(argsDigest(JSON.parse('{"id":9007199254740993}'))).not.toBe(
      argsDigestFromText('{"id":9007199254740993}'),
    );
  });
});

/** The code of the error that `compute` throws, or null. */
function codeOf(compute: () => unknown): string | null {
  try {
    compute();
    return null;
  } catch (error) {
    if (isPermissionGateError(error)) return error.code;
    throw error;
  }
}
