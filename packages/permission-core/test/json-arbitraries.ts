import * as fc from "fast-check";
import type { JsonValue } from "../src/json.js";

/** Well-formed text with everything that a canonical string treats in a way of its own, short and long. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(..."abcXYZ09 _") },
  fc.constantFrom('"', "\\", "/", "\b", "\t", "\n", "\f", "\r", "\u0000", "\u000b", "\u001f", "\u007f"),
  fc.constantFrom("é", "ß", "\u2028", "\ufeff", "\uffff", "\ud7ff", "\ue000", "\ufffd", "€"),
  fc.constantFrom("😀", "𝒳", "\u{10ffff}", "\u{10000}"),
);

export const wellFormedText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: character, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: character, minLength: 60, maxLength: 140 }) },
);

const key = fc.oneof(
  { weight: 8, arbitrary: wellFormedText },
  fc.constantFrom("__proto__", "10", "9", "", "toJSON"),
);

const jsonNumber: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const leaf = fc.oneof(fc.constant(null), fc.boolean(), jsonNumber, wellFormedText);

/** JSON values of some depth, with objects below and above the number of keys where the sort changes. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 5 }),
    members(tie("value"), 6),
    members(leaf, 30),
  ),
})).value;

/** An object with own members only, whatever they are called. */
function members(value: fc.Arbitrary<JsonValue>, maxLength: number): fc.Arbitrary<JsonValue> {
  return fc.uniqueArray(fc.tuple(key, value), { maxLength, selector: ([name]) => name }).map(objectOf);
}

export function objectOf(entries: readonly (readonly [string, JsonValue])[]): { [key: string]: JsonValue } {
  return Object.fromEntries(entries) as { [key: string]: JsonValue };
}
