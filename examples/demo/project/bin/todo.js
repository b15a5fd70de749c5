#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { runCommand } from "../src/commands.js";
import { loadItems, saveItems } from "../src/store.js";

const file = process.env.TODO_FILE ?? fileURLToPath(new URL("../data/todos.json", import.meta.url));

try {
  const { items, output } = runCommand(process.argv.slice(2), await loadItems(file));
  await saveItems(file, items);
  console.log(output);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
