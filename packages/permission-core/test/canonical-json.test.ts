import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argsDigest } from "../src/args-digest.js";
import { canonicalJson } from "../src/canonical-json.js";
import { cloneJson } from "../src/clone-json.js";
import { isPermissionGateError, PermissionGateError } from "../src/errors.js";
import { notJsonPath } from "../src/not-json.js";
import { jsonValue } from "./json-arbitraries.js";
import { referenceCanonical } from "./reference-digest.js";

class Account {
  owner = "x";
}
class List extends Array<number> {}

/** Looks like another realm's plain object, but its members are inherited. */
function forged(): unknown {
  return Object.create(
    Object.assign(Object.create(null), { isPrototypeOf: 1, constructor: Object, hidden: 2 }),
  );
}

/** Inherits from nothing that is not its own, and is no plain object all the same. */
function rootless(): unknown {
  const Rootless = (() => {}) as unknown as { prototype: object };
  Rootless.prototype = Object.assign(Object.create(null), { constructor: Rootless });
  return Object.create(Rootless.prototype);
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function cyclic(): unknown {
  const value: { list: unknown[] } = { list: [] };
  value.list.push(1, value);
  return value;
}

/** What JSON cannot hold, and where it stands. */
const refused: [title: string, value: () => unknown, path: string, problem: string][] = [
  ["undefined", () => undefined, "$", "undefined"],
  ["a function", () => ({ a: [() => 1] }), "$.a[0]", "a function"],
  ["a symbol", () => ({ a: Symbol("s") }), "$.a", "a symbol"],
  ["a bigint", () => [1n], "$[0]", "a bigint"],
  ["NaN", () => ({ a: { b: Number.NaN } }), "$.a.b", "NaN"],
  ["infinity", () => [[Number.POSITIVE_INFINITY]], "$[0][0]", "Infinity"],
  ["minus infinity", () => Number.NEGATIVE_INFINITY, "$", "-Infinity"],
  ["a lone high surrogate", () => ({ a: "x\ud800" }), "$.a", "a lone surrogate"],
  ["a lone low surrogate", () => ["\udc00x"], "$[0]", "a lone surrogate"],
  ["two low surrogates", () => ["\udc00\udc00"], "$[0]", "a lone surrogate"],
  ["a high surrogate before a pair", () => ["\ud83d\ud83d\ude00"], "$[0]", "a lone surrogate"],
  ["a lone surrogate in a long string", () => [`${"x".repeat(5000)}\ud800`], "$[0]", "a lone surrogate"],
  [
    "a lone surrogate at a step of a long string",
    () => [`${"x".repeat(4095)}\ud800x`],
    "$[0]",
    "a lone surrogate",
  ],
  ["a lone surrogate in a key", () => ({ "k\ud800": 1 }), '$["k\\ud800"]', "a lone surrogate"],
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
  ["a hole", () => [1, , 3], "$[1]", "undefined"],
  ["undefined in an array", () => [undefined], "$[0]", "undefined"],
  ["a date", () => ({ when: new Date(0) }), "$.when", "an object that is not plain"],
  ["a map", () => new Map(), "$", "an object that is not plain"],
  ["a class instance", () => [new Account()], "$[0]", "an object that is not plain"],
  ["an array of a subclass", () => List.of(1), "$", "an object that is not plain"],
  ["a boxed string", () => Object("x"), "$", "an object that is not plain"],
  ["a typed array", () => new Uint8Array(1), "$", "an object that is not plain"],
  ["inherited members", () => Object.create({ hidden: 1 }), "$", "an object that is not plain"],
  [
    "inherited members of a null prototype",
    () => Object.create(Object.create(null)),
    "$",
    "an object that is not plain",
  ],
  ["a forged foreign object", forged, "$", "an object that is not plain"],
  ["an instance of a class without a root", rootless, "$", "an object that is not plain"],
  ["an own toJSON, which is not honoured", () => ({ toJSON: () => 1 }), "$.toJSON", "a function"],
  ["a cycle", cyclic, "$.list[1]", "a reference to an object around it"],
  ["an odd key on the way", () => ({ "a b": [{ ü: 1n }] }), '$["a b"][0]["\\u00fc"]', "a bigint"],
];

const readers: [name: string, read: (value: unknown) => unknown][] = [
  ["canonicalJson", canonicalJson],
  ["argsDigest", argsDigest],
  ["cloneJson", cloneJson],
];

describe.each(readers)("%s refuses what is no JSON value", (_name, read) => {
  it.each(refused)("%s", (_title, value, path, problem) => {
    const error = thrownBy(() => read(value()));
    expect(isPermissionGateError(error, "not_json")).toBe(true);
    expect((error as Error).message).toBe(`Not a JSON value: ${problem} at ${path}`);
    expect(notJsonPath(error)).toBe(path);
  });

  it("takes nesting of 512 and refuses 513", () => {
    expect(() => read(nested(512))).not.toThrow();
    const error = thrownBy(() => read(nested(513)));
    expect((error as Error).message).toMatch(/^Not a JSON value: nesting beyond 512 at \$/);
    expect(notJsonPath(error)?.length).toBeLessThan(200);
  });

  it("shortens a long key in the path", () => {
    expect(notJsonPath(thrownBy(() => read({ ["k".repeat(10_000)]: 1n })))).toBe(`$["${"k".repeat(64)}..."]`);
  });

  it("takes one object twice, side by side", () => {
    const shared = { x: 1 };
    expect(() => read([shared, { a: shared }])).not.toThrow();
  });

  it("reads each getter and proxied member once", () => {
    let reads = 0;
    const proxied: string[] = [];
    const proxy = new Proxy({ q: 1, p: [2] } as { [key: string]: unknown }, {
      get(target, key) {
        proxied.push(String(key));
        return target[String(key)];
      },
    });
    const value = {
      get counted() {
        return ++reads;
      },
      proxy,
    };
    read(value);
    expect(reads).toBe(1);
    expect(proxied.sort()).toEqual(["p", "q"]);
  });

  it("keeps what a getter threw as the cause, also an error of its own kind", () => {
    const inner = new PermissionGateError("not_json", "another");
    const value = {
      a: {
        get b(): unknown {
          throw inner;
        },
      },
    };
    const error = thrownBy(() => read(value));
    expect(notJsonPath(error)).toBe("$.a.b");
    expect((error as Error).cause).toBe(inner);
  });

  it("works again after a refusal", () => {
    expect(() => read([[[1n]]])).toThrow();
    expect(() => read(nested(512))).not.toThrow();
  });
});

describe("canonicalJson", () => {
  it.each<[unknown, string]>([
    [{ path: "/tmp/x", limit: 10 }, '{"limit":10,"path":"/tmp/x"}'],
    [{ 9: 1, 10: 2, a: 3 }, '{"10":2,"9":1,"a":3}'],
    [{ "\ue000": 1, "😀": 2, z: 3, "\uffff": 4 }, '{"z":3,"\ue000":1,"\uffff":4,"😀":2}'],
    [{ B: 1, a: 1, _: 1, A: 1 }, '{"A":1,"B":1,"_":1,"a":1}'],
    [{ ab: 1, a: 2, "": 3 }, '{"":3,"a":2,"ab":1}'],
    ['\b\t\n\f\r"\\/', '"\\b\\t\\n\\f\\r\\"\\\\/"'],
    ["\u0000\u000b\u001f\u007f\u2028\ufeff", '"\\u0000\\u000b\\u001f\u007f\u2028\ufeff"'],
    [[-0, 1.0, 1e21, 1e-7, 0.1], "[0,1,1e+21,1e-7,0.1]"],
    [{ gone: undefined, kept: null }, '{"kept":null}'],
    [[true, false, null, [], {}], "[true,false,null,[],{}]"],
    [Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    [JSON.parse('{"__proto__":{"x":1},"a":2}'), '{"__proto__":{"x":1},"a":2}'],
    [{ constructor: "c", toString: "t" }, '{"constructor":"c","toString":"t"}'],
  ])("writes %j", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("takes plain values of another realm, and only those", () => {
    expect(canonicalJson(runInNewContext("({ b: [1, { c: 2 }], a: 1 })"))).toBe('{"a":1,"b":[1,{"c":2}]}');
    expect(() => canonicalJson(runInNewContext("new Date(0)"))).toThrow("not plain at $");
    expect(() => canonicalJson(runInNewContext("(class L extends Array {}).of(1)"))).toThrow(
      "not plain at $",
    );
  });

  it("leaves out symbol keys and members that are not enumerable", () => {
    const value = Object.defineProperty({ a: 1, [Symbol("s")]: 2 }, "hidden", { value: 3 });
    expect(canonicalJson(value)).toBe('{"a":1}');
  });

  it("agrees with a plain reference, and parses back to an equal value", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = canonicalJson(value);
        expect(text).toBe(referenceCanonical(value));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("notJsonPath", () => {
  it("is null for every other error", () => {
    expect(notJsonPath(new PermissionGateError("bad_json", "x"))).toBeNull();
    expect(notJsonPath(new PermissionGateError("not_json", "without a path"))).toBeNull();
    expect(notJsonPath(Object.assign(new Error("x"), { path: "$" }))).toBeNull();
    expect(notJsonPath(null)).toBeNull();
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
