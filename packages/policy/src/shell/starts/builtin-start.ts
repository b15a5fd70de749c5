import { mayBeOption, maySpread, readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { isDangerousAssignment, isDangerousVariable } from "../tables/dangerous-variables.js";
import { opaqueStart, type Start } from "./start.js";

const NAME = /^[A-Za-z_]\w*$/;
const EXPORTED = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/;

/** bash skips any number of these length modifiers. */
const COUNTS = /%[^a-zA-Z%\\]*[hjlLqtwzIZ]*n/;
/** A name that `%n` may assign to without harm: none that is read as a subscript, or that matters. */
const NO_NAME = /^[^A-Za-z_]|^[A-Za-z_]\w*[^\w[]|^$/;

/** `printf -v` assigns to a name whose subscript runs, and `%n` to one that may matter. */
export function printfStart(words: readonly ReadWord[]): Start | null {
  const first = words[1];
  if (first === undefined) return null;
  const text = first.value ?? (first.splits ? "-" : first.source.replace(/^["']/, ""));
  const isFormat = text === "" || !/^[-$`]/.test(text) || first.value === "-" || first.value === "--";
  if (!isFormat) return opaqueStart("printf -v assigns to a name that may run text");
  const at = first.value === "--" ? 2 : 1;
  const format = words[at];
  if (format === undefined) return null;
  const counts = COUNTS.test(format.loose.replaceAll("%%", ""));
  const mayCount = format.value === null && (maySpread(format) || words.slice(at + 1).some(mayBeName));
  return counts || mayCount ? opaqueStart("printf %n assigns to a name") : null;
}

/** Whether a format that is not known could assign to a name that matters. */
function mayBeName({ value }: ReadWord): boolean {
  if (value === null) return true;
  return !NO_NAME.test(value) && (value.includes("[") || isDangerousVariable(value));
}

/** `export` and `readonly` of plain names: anything else may be a subscript, or a name that matters. */
export function exportStart(name: string, words: readonly ReadWord[]): Start | null {
  for (const word of words.slice(1)) {
    if (word.value === "-p" || word.value === "--") continue;
    const [, exported, value = null] = EXPORTED.exec(word.value ?? "") ?? [];
    if (exported === undefined) return opaqueStart(`${name}: what it sets cannot be told`);
    if (isDangerousAssignment(exported, value)) return opaqueStart(`an assignment to ${exported}`);
  }
  return null;
}

/** `read` and `unset` with plain names, for the same reasons. */
export function namesStart(name: string, words: readonly ReadWord[]): Start | null {
  const shape = name === "read" ? { values: "adiNnptu" } : {};
  const { options, operands } = readOptions(words, shape);
  const arrays = options.filter((option) => option.name === "-a").map((option) => option.value);
  const names = [...arrays, ...operands.map((operand) => operand.value)];
  for (const option of options) {
    if (option.word !== null && option.word.value === null)
      return opaqueStart(`${name}: what it sets cannot be told`);
  }
  for (const set of names) {
    if (set === null || !NAME.test(set)) return opaqueStart(`${name}: what it sets cannot be told`);
    if (isDangerousVariable(set)) return opaqueStart(`an assignment to ${set}`);
  }
  return options.some((option) => option.name === "-n") && name === "unset"
    ? opaqueStart("unset: what it sets cannot be told")
    : null;
}

const SET_WORDS = /^(?:[-+][efuxC]+o?|-o|\+o|pipefail|errexit|nounset|noglob|xtrace|noclobber)$/;

/** `set -e` and the like are harmless; other options change how words are read. */
export function setStart(words: readonly ReadWord[]): Start | null {
  for (const word of words.slice(1)) {
    if (word.value === "--") return null;
    if (word.value === null || !SET_WORDS.test(word.value))
      return opaqueStart("set: changes how the shell reads");
  }
  return null;
}

/**
 * `test` and `[`: -v and -R run what a subscript in the next word holds, wherever they stand. So no word may split, and none
 * that could be one of them may come before one that could hold a subscript.
 */
export function testStart(name: string, words: readonly ReadWord[]): Start | null {
  const end = name === "[" && words.at(-1)?.value === "]" ? words.length - 1 : words.length;
  for (let at = 1; at < end; at++) {
    const word = words[at] as ReadWord;
    const next = at + 1 < end ? words[at + 1] : undefined;
    if (word.value === null && word.splits) return opaqueStart(`${name}: ${EVALUATES}`);
    const evaluates = word.value === null ? mayBeOption(word) : word.value === "-v" || word.value === "-R";
    if (evaluates && next !== undefined && (next.value === null || next.value.includes("["))) {
      return opaqueStart(`${name}: ${EVALUATES}`);
    }
  }
  return null;
}

const EVALUATES = "a word could be an operator that runs text";
