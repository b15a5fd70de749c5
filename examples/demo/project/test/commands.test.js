import assert from "node:assert/strict";
import { test } from "node:test";
import { runCommand } from "../src/commands.js";

test("lists what there is", () => {
  const items = [{ number: 1, text: "one", done: false }];
  assert.equal(runCommand(["list"], items).output, "1 [ ] one");
});

test("names a command that it does not know", () => {
  assert.throws(() => runCommand(["fly"], []), /no such command: fly/);
});
