import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { allow, deny, pathEffect } from "./rule-samples.js";

const insensitive = memoryWorkspace({}, { root: "/w", caseInsensitive: true });

describe("a path with letters beyond ASCII", () => {
  it.each([
    ["secre*", "secre\u0301t"],
    ["secr\u00e9*", "secre\u0301t"],
    ["secr?t/**", "secre\u0301t/k"],
    ["secre?t/**", "secre\u0301t/k"],
    ["secr\u00e9t/**", "secr\u00e9t/k"],
  ])("meets the deny %j as it is written, and composed: %j", (pattern, path) => {
    expect(pathEffect([allow("Read"), deny(`Read(${pattern})`)], "Read", path)).toBe("deny");
  });

  it.each(["stra?e/**", "strasse/**", "stra\u00dfe/**"])(
    "meets the deny %j letter for letter, and with its case folded",
    (pattern) => {
      const rules = [allow("Read"), deny(`Read(${pattern})`)];
      expect(pathEffect(rules, "Read", "stra\u00dfe/k", { workspace: insensitive })).toBe("deny");
    },
  );
});
