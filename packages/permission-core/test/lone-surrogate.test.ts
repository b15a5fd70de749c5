import { afterEach, describe, expect, it, vi } from "vitest";

const prototype = String.prototype as { isWellFormed?: () => boolean };
const isWellFormed = Object.getOwnPropertyDescriptor(prototype, "isWellFormed");

afterEach(() => {
  if (isWellFormed !== undefined) Object.defineProperty(prototype, "isWellFormed", isWellFormed);
  vi.resetModules();
});

describe.each([true, false])("hasLoneSurrogate where the host has isWellFormed: %s", (known) => {
  it.each([
    ["", false],
    ["plain", false],
    ["Über €", false],
    ["\u{1f600}", false],
    ["\ud83d", true],
    ["\ude00", true],
    ["x\ude00\ud83dx", true],
    ["\ud83d\ud83d\ude00", true],
  ])("says of %j: %s", async (text, expected) => {
    if (!known) delete prototype.isWellFormed;
    const { hasLoneSurrogate } = await import("../src/lone-surrogate.js");
    expect(hasLoneSurrogate(text)).toBe(expected);
  });
});
