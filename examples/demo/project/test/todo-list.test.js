import assert from "node:assert/strict";
import { test } from "node:test";
import { addItem, finishItem } from "../src/todo-list.js";

test("adds an item with the next number", () => {
  const items = addItem([{ number: 4, text: "old", done: false }], " new ");
  assert.deepEqual(items[1], { number: 5, text: "new", done: false });
});

test("refuses an item without a text", () => {
  assert.throws(() => addItem([], "  "), /needs a text/);
});

test("marks an item as done, and leaves the others", () => {
  const items = finishItem(addItem(addItem([], "one"), "two"), 2);
  assert.deepEqual(
    items.map((item) => item.done),
    [false, true],
  );
});
