import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkJson, elementExtents, JsonSyntaxError, memberExtents } from "../src/json-scan.js";

/** JSON text of a value with blanks wherever they may stand. */
function spaced(value: unknown, blank: () => string): string {
  const around = (text: string) => `${blank()}${text}${blank()}`;
  if (Array.isArray(value)) {
    return around(
      value.length === 0 ? `[${blank()}]` : `[${value.map((item) => spaced(item, blank)).join(",")}]`,
    );
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${around(JSON.stringify(key))}:${spaced(item, blank)}`,
    );
    return around(members.length === 0 ? `{${blank()}}` : `{${members.join(",")}}`);
  }
  return around(JSON.stringify(value));
}

const blanks = fc
  .array(fc.constantFrom("", "", " ", "\n", "\t\r"), { minLength: 1, maxLength: 7 })
  .map((choices) => {
    let next = 0;
    return () => choices[next++ % choices.length] ?? "";
  });

function offsetOfFault(text: string): number | null {
  try {
    checkJson(text);
    return null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.offset;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("elementExtents", () => {
  it("finds the very elements that JSON.parse finds, however the text is laid out", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), blanks, (elements, blank) => {
        const text = spaced(elements, blank);
        const found = elementExtents(text).map(({ start, end }) => text.slice(start, end));
        expect(found.map((element) => JSON.parse(element))).toEqual(JSON.parse(text));
        expect(found).toEqual(found.map((element) => element.trim()));
      }),
    );
  });
});

describe("memberExtents", () => {
  it("finds the very members that JSON.parse finds", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), blanks, (members, blank) => {
        const text = spaced(members, blank);
        const found = memberExtents(text).map(({ key, value }) => [
          key,
          JSON.parse(text.slice(value.start, value.end)),
        ]);
        expect(found).toEqual(Object.entries(JSON.parse(text)));
      }),
    );
  });

  it("decodes keys and shows repeated ones", () => {
    const text = String.raw`{"a":1,"\u0061":[2]}`;
    expect(memberExtents(text).map(({ key, value }) => [key, text.slice(value.start, value.end)])).toEqual([
      ["a", "1"],
      ["a", "[2]"],
    ]);
  });
});

describe("checkJson", () => {
  it("refuses exactly what JSON.parse refuses", () => {
    const damage = fc.record({
      at: fc.nat(),
      length: fc.nat(2),
      text: fc.constantFrom("", ..."[]{},:\"\\ 0-.e1\n\u0000tu'\u00a0"),
    });
    fc.assert(
      fc.property(fc.json(), fc.array(damage, { maxLength: 3 }), (json, damages) => {
        let text = json;
        for (const { at, length, text: inserted } of damages) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + inserted + text.slice(start + length);
        }
        expect(offsetOfFault(text) === null).toBe(parses(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ["", 0],
    ["not json", 0],
    ['{"version":1,"grants":[],} // note', 25],
    ['{"a" 1}', 5],
    ["[1,]", 3],
    ["[1 2]", 3],
    ["[1] x", 4],
    ["[01]", 2],
    ["[1.]", 2],
    ["[truest]", 5],
    ['["a\nb"]', 3],
    ['["open', 6],
    [String.raw`["\x"]`, 2],
    ["\ufeff[]", 0],
    ["[", 1],
  ])("names the place where %j cannot go on", (text, offset) => {
    expect(offsetOfFault(text)).toBe(offset);
  });

  it("takes nesting that would overflow the stack of a recursive reader", () => {
    const depth = 200_000;
    expect(offsetOfFault("[".repeat(depth) + "]".repeat(depth))).toBeNull();
  });
});
