import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PROTECTIONS } from "../src/protections.js";

const folder = dirname(fileURLToPath(import.meta.resolve("@x/ask-channel/redis")));
const built = readdirSync(folder)
  .filter((file) => file.endsWith(".js"))
  .map((file) => readFileSync(join(folder, file), "utf8"));

/** How many of the scripts that were built hold it. The webhook channel brings the text before all scripts once more. */
function occurrences(text: string): number {
  return built.reduce((sum, file) => sum + file.split(text).length - 1, 0);
}

it.each(Object.entries(PROTECTIONS))(
  "a proof without %s changes a script that is there, in one place",
  (_name, edits) => {
    for (const { from } of edits) expect([from, occurrences(from)]).toEqual([from, 1]);
  },
);
