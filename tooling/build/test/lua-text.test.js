import assert from "node:assert/strict";
import { expect, it } from "vitest";
import { withoutComments } from "../lua-text.js";

it("takes out lines of comment, and nothing else: neither line numbers, nor what only looks like a comment", () => {
  const script = '-- Result  1\nlocal a = "-- text" -- why\n  -- more\nreturn a\n';
  assert.equal(withoutComments(script), '\nlocal a = "-- text" -- why\n\nreturn a\n');
});

it.each(["--[[ long ]]\nreturn 1", "return [[\n-- text\n]]", "--[==[ longer ]==]\nreturn 1"])(
  "refuses what it cannot read by lines: %j",
  (script) => {
    expect(() => withoutComments(script)).toThrow("write lines");
  },
);
