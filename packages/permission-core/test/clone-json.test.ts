import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../src/canonical-json.js";
import { cloneJson } from "../src/clone-json.js";
import type { JsonValue } from "../src/json.js";
import { jsonValue } from "./json-arbitraries.js";

describe("cloneJson", () => {
  it("shares nothing with the value", () => {
    const value = { list: [{ a: 1 }], object: { b: 2 } };
    const copy = cloneJson(value) as typeof value;
    value.list[0] = { a: 9 };
    value.object.b = 9;
    expect(copy).toEqual({ list: [{ a: 1 }], object: { b: 2 } });
  });

  it("keeps key order, leaves out undefined members and drops accessors", () => {
    const value = {
      z: 1,
      gone: undefined,
      get a() {
        return 2;
      },
    };
    const copy = cloneJson(value);
    expect(JSON.stringify(copy)).toBe('{"z":1,"a":2}');
    expect(Object.getOwnPropertyDescriptor(copy, "a")).toMatchObject({ value: 2, writable: true });
  });

  it("keeps an own `__proto__` member as data and pollutes nothing", () => {
    const copy = cloneJson(JSON.parse('{"__proto__":{"polluted":true},"a":1}')) as {
      [key: string]: JsonValue;
    };
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(copy, "__proto__")?.value).toEqual({ polluted: true });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("makes plain objects of those without a prototype", () => {
    const copy = cloneJson(Object.assign(Object.create(null), { a: 1 }));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it("has the canonical text of the value, for every value", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const copy = cloneJson(value);
        expect(canonicalJson(copy)).toBe(canonicalJson(value));
        expect(copy).toEqual(value);
      }),
    );
  });
});
