import type { JsonValue } from "@x/permission-core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fitsJsonText } from "../../src/ledger/json-length.js";

it("is as long as JSON.stringify makes it, to the character", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { length } = JSON.stringify(value);
      expect(fitsJsonText(value as JsonValue, length)).toBe(true);
      expect(fitsJsonText(value as JsonValue, length - 1)).toBe(false);
    }),
  );
});

it("makes no text of what is far too long", () => {
  const text = "\u0001".repeat(2 ** 20);
  expect(fitsJsonText(Array(100_000).fill(text), 2 ** 20)).toBe(false);
});
