import { readEntries } from "./read-entries.js";
import type { SeededRandom } from "./seeded-random.js";

/** Words by the program that they follow. A program with a subcommand is written with `_` for the blank. */
const wordsOf = new Map<string, string[]>();
for (const { id, text } of readEntries(new URL("../program-words.txt", import.meta.url)))
  wordsOf.set(id, [...(wordsOf.get(id) ?? []), text]);

const common = wordsOf.get("any") ?? [];
const programs = [...wordsOf.keys()].filter((name) => name !== "any");

/** Grows a call of a program with a handful of its words, dangerous ones among them, in any order. */
export function growProgram(random: SeededRandom): string {
  const name = random.pick(programs);
  const own = wordsOf.get(name) ?? [];
  const words = Array.from({ length: 1 + random.below(5) }, () =>
    random.pick(random.chance(75) ? own : common),
  );
  const call = [name.replace("_", " "), ...words].join(" ");
  const before = random.pick(["", "", "echo a | ", "echo a | ", "x=canary; ", "true && "]);
  const after = random.pick(["", "", "", " | cat", "; true", " 2>&1"]);
  return before + call + after;
}
