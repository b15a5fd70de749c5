import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argsDigest, argsDigestFromText } from "../src/args-digest.js";
import { CanonicalHasher } from "../src/canonical-hasher.js";
import { canonicalJson } from "../src/canonical-json.js";
import { descriptorDigest, descriptorFingerprint } from "../src/descriptor-digest.js";
import type { Fnv } from "../src/fnv.js";
import { PlainFnv } from "../src/fnv-plain.js";
import { createWasmFnv } from "../src/fnv-wasm.js";
import { fnv1a64, hashBytes } from "../src/fnv1a64.js";
import type { JsonValue } from "../src/json.js";
import { compareCodePoints, sortKeys } from "../src/key-order.js";
import { jsonValue, objectOf, wellFormedText } from "./json-arbitraries.js";
import { referenceCanonical, referenceDigest, referenceFnv } from "./reference-digest.js";

function wasmFnv(): Fnv {
  const fnv = createWasmFnv();
  if (fnv === null)
    throw new Error("This host does not compile the module: its bytes are wrong, or WebAssembly is off");
  return fnv;
}

const engines: [name: string, create: () => Fnv][] = [
  ["WebAssembly", wasmFnv],
  ["plain JavaScript", () => new PlainFnv()],
];

describe("fnv1a64", () => {
  it.each([
    ["", "cbf29ce484222325"],
    ["a", "af63dc4c8601ec8c"],
    ["b", "af63df4c8601f1a5"],
    ["foobar", "85944171f73967e8"],
    ["hello", "a430d84680aabd0b"],
    ["/projects/alpha", "875b61f8ea0be217"],
    ["{}", "08f44b07b5901a25"],
    ["\ufffd", "6f6d661b9658624a"],
  ])("of %j is %s, as text and as bytes", (text, hex) => {
    expect(fnv1a64(text)).toBe(hex);
    expect(fnv1a64(Buffer.from(text))).toBe(hex);
  });

  it("takes a lone surrogate for U+FFFD", () => {
    expect(fnv1a64("\ud800")).toBe(fnv1a64("\ufffd"));
  });

  it.each(engines)("%s agrees with a BigInt reference on any bytes", (_name, create) => {
    const fnv = create();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(hashBytes(fnv, bytes)).toBe(referenceFnv(bytes));
      }),
    );
  });

  it.each(engines)("%s agrees with it on sizes around its chunk", (_name, create) => {
    const fnv = create();
    const size = fnv.chunk.length;
    for (const length of [size - 1, size, size + 1, 2 * size, 3 * size + 7]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) ^ (index >> 8));
      expect(hashBytes(fnv, bytes)).toBe(referenceFnv(bytes));
    }
  });
});

describe("argsDigest", () => {
  it.each<[unknown, string]>([
    [{ path: "/tmp/x", limit: 10 }, "f1ed61cd8ca5e26b"],
    [{ b: { y: 1, x: 2 }, a: 0 }, "81abbea456df491e"],
    [[{ x: 1 }, { y: 2 }], "a2700559e2c6bd71"],
    [{ target: "/etc" }, "db178b1a15d628f9"],
    [{ word: "hello" }, "5400c22c6f602e27"],
    [null, "5b9bc4ba528108e4"],
    [true, "5b5c98ef514dbfa5"],
    [0, "af63ad4c86019caf"],
    [-0, "af63ad4c86019caf"],
    [-1, "07d00b07b497d12b"],
    ["a", "d4272417d7c77eea"],
    [{ B: 1, a: 1, _: 1, A: 1 }, "0e1ae31871c5c32a"],
    [{ "\ue000": 1, "😀": 2, z: 3, "\uffff": 4 }, "270b632cbe502eed"],
    ["\u0000\u0001\u001f\u007f", "7c9f94bf17014903"],
    ['\b\t\n\f\r"\\', "6bf1abca9198784b"],
    ["\u2028\u2029\ufeff", "4367eab0d24d4609"],
    ["😀", "b7151e571568949e"],
    [0.1, "4e18dd181d0a2066"],
    [{ scope: "this_tool", tool: "read", verdict: "Allow" }, "514e4d9b0eda7cf2"],
    [{ scope: { this_call: { args: null } }, tool: "deploy", verdict: "Allow" }, "491b5814458df6d5"],
    [{ scope: "this_tool", tool: 'a"b\\c\n', verdict: "Allow" }, "979bce04d2da9fd8"],
  ])("of %j is %s", (value, digest) => {
    expect(argsDigest(value)).toBe(digest);
  });

  it.each(engines)("by %s is the FNV of the canonical text, for every value", (_name, create) => {
    const hasher = new CanonicalHasher(create());
    fc.assert(
      fc.property(jsonValue, (value) => {
        const digest = hasher.digest(value);
        expect(digest).toBe(fnv1a64(canonicalJson(value)));
        expect(digest).toBe(referenceDigest(value));
        expect(argsDigest(value)).toBe(digest);
      }),
    );
  });

  it.each(engines)("by %s agrees on strings longer than its chunk and its steps", (_name, create) => {
    const hasher = new CanonicalHasher(create());
    const plain = new PlainFnv();
    const units = ["x", "\n", "\u0001", "é", "€", "\ufffd", "😀", 'a"'];
    for (const unit of units)
      for (const length of [64, 65, 4095, 4096, 4097, 40_000, 200_001]) {
        const value = [`y${unit.repeat(length)}`, { [unit.repeat(length)]: unit }];
        expect(hasher.digest(value)).toBe(hashBytes(plain, Buffer.from(referenceCanonical(value))));
      }
  });

  it.each(engines)("by %s agrees on more members than its chunk holds", (_name, create) => {
    const value = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`k${index}`, [index, -index / 3]]),
    );
    expect(new CanonicalHasher(create()).digest(value)).toBe(referenceDigest(value));
  });

  it("does not move with the order of keys", () => {
    const entries = fc.uniqueArray(fc.tuple(wellFormedText, jsonValue), {
      maxLength: 24,
      selector: ([key]) => key,
    });
    const shuffled = entries.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(argsDigest(objectOf(one))).toBe(argsDigest(objectOf(other)));
      }),
    );
  });

  it("stays right when a getter digests in the middle of a walk", () => {
    const inner = { x: ["inner", 1] };
    const value = {
      a: "before",
      get b() {
        return [argsDigest(inner), fnv1a64("hello"), argsDigest({ nested: argsDigest(inner) })];
      },
      c: "after",
    };
    const plain = { a: "before", b: value.b, c: "after" };
    expect(argsDigest(value)).toBe(referenceDigest(plain));
    expect(argsDigest(value)).toBe(argsDigest(plain));
  });

  it("stays right when a getter throws out of a nested digest", () => {
    const failing = {
      get a() {
        return argsDigest([() => 1]);
      },
    };
    expect(() => argsDigest(failing)).toThrow("a member that cannot be read at $.a");
    expect(argsDigest({ path: "/tmp/x", limit: 10 })).toBe("f1ed61cd8ca5e26b");
  });
});

describe("argsDigestFromText", () => {
  it.each([
    ["18446744073709551615", "edf2a76b38fc3c54"],
    ["1.50", "457d3818182e17b9"],
    ["1e2", "82f89c7659d96952"],
    ["-0", "b7e40d8e27d55b96"],
    ["0.0", "4e18de181d0a2219"],
    ["1e16", "534ebceffdf73b98"],
    ["1e-5", "936f67d66da23b16"],
    ["1e-6", "5377aceffe1a257c"],
    ['{ "a" : 1 ,\n "b" : [ 1 , 2 ] }', "33f5506b9080afce"],
  ])("of %s is %s", (text, digest) => {
    expect(argsDigestFromText(text)).toBe(digest);
  });

  it.each([
    ['{"a":1}', '{"a":1.0}', false],
    ['{"a":null}', "{}", false],
    ['{"a":"1"}', '{"a":1}', false],
    ['{"b":1,"a":[{"d":1,"c":2}]}', '{"a":[{"c":2,"d":1}],"b":1}', true],
  ])("of %s and %s: equal is %s", (left, right, equal) => {
    expect(argsDigestFromText(left) === argsDigestFromText(right)).toBe(equal);
  });
});

describe("descriptor digests", () => {
  const read = {
    name: "read",
    description: "Reads a file",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, offset: { type: "integer" } },
      required: ["path"],
    },
  };
  const deploy = {
    name: "deploy",
    description: "Deploy the service",
    inputSchema: { type: "object", properties: { target: { type: "string" } } },
  };

  it("have known values", () => {
    expect(descriptorDigest(read)).toBe("88cb4abca92d59d4");
    expect(descriptorDigest(deploy)).toBe("40dea5c7b66ea3af");
    expect(descriptorFingerprint(deploy)).toBe(
      "sha256:60399d3dd7d6d6187b02aa280eb23cf673d8418495b3631638a08706de320978",
    );
  });

  it("move with the name, the description and the schema, not with the order of keys", () => {
    const schema: JsonValue = { properties: { offset: { type: "integer" }, path: { type: "string" } } };
    const changed = [
      { ...read, name: "read2" },
      { ...read, description: "Reads" },
      { ...read, inputSchema: schema },
    ];
    const reordered = { ...read, inputSchema: JSON.parse(canonicalJson(read.inputSchema)) as JsonValue };
    for (const digest of [descriptorDigest, descriptorFingerprint]) {
      expect(new Set([read, ...changed].map(digest)).size).toBe(4);
      expect(digest(reordered)).toBe(digest(read));
    }
  });
});

describe("the order of keys", () => {
  it("is by code point also among many keys", () => {
    const letters = [..."abcdefghijklmnopqrst"];
    expect(sortKeys(["😀", "\ue000", ...letters].reverse())).toEqual([...letters, "\ue000", "😀"]);
  });

  it("is that of the UTF-8 bytes, for few and for many keys", () => {
    const keys = fc.uniqueArray(wellFormedText, { maxLength: 40 });
    fc.assert(
      fc.property(keys, (list) => {
        const byBytes = [...list].sort((left, right) =>
          Buffer.compare(Buffer.from(left), Buffer.from(right)),
        );
        expect(sortKeys([...list])).toEqual(byBytes);
        expect([...list].sort(compareCodePoints)).toEqual(byBytes);
      }),
    );
  });
});
