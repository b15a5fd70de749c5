import { mayBeOption, readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { GO_VALUES } from "../tables/languages.js";
import { isOpenAlready, opaqueStart, type Start } from "./start.js";

const SHAPE = {
  values: "CfIlojW",
  longValues: ["--file", "--makefile", "--directory", "--include-dir", "--eval"],
};

/** `make` runs the recipes of its file; text of its own comes with --eval, `-f -` and variables. */
export function makeStart(words: readonly ReadWord[]): Start | null {
  const { options, operands } = readOptions(words, SHAPE);
  for (const { name, value, word } of options) {
    if (name === "-E" || (name.length > 2 && "--eval".startsWith(name)))
      return opaqueStart("make --eval is code");
    if (isFileOption(name) && (value === null || isOpenAlready(value))) {
      return opaqueStart("make runs what it reads");
    }
    if (word !== null && word.value === null) return opaqueStart("make: what it runs cannot be told");
  }
  const sets = operands.some(
    (operand) =>
      operand.loose.includes("=") ||
      (operand.value === null && (mayBeOption(operand) || operand.expansions.join() !== "glob")),
  );
  return sets ? opaqueStart("make: a variable may be a program or hold one") : null;
}

/** Long options may be cut short. */
function isFileOption(name: string): boolean {
  if (name === "-f") return true;
  return name.length > 2 && ("--file".startsWith(name) || "--makefile".startsWith(name));
}

const GO_RUNS = /^--?(?:exec|toolexec|vettool|ldflags|gccgoflags|modfile)(?:=|$)/;

/** `go`: several options name programs that the build starts. What a substitution gives is the floor's concern. */
export function goStart(words: readonly ReadWord[]): Start | null {
  const isEnvironment = words[1]?.value === "env";
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as ReadWord;
    if (GO_RUNS.test(word.loose) || (isEnvironment && /^--?w$/.test(word.loose)))
      return opaqueStart("go: an option names a program");
    const isSubstitution = word.expansions.join() === "substitution";
    const isValue = !word.splits && GO_VALUES.includes(words[at - 1]?.value ?? "");
    if (word.value === null && !isValue && !isSubstitution && mayBeOption(word)) {
      return opaqueStart("go: a word that is not known could be an option that runs something");
    }
  }
  return null;
}
