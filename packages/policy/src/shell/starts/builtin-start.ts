import { readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { isDangerousVariable } from "../tables/dangerous-variables.js";
import { opaqueStart, type Start } from "./start.js";

const NAME = /^[A-Za-z_]\w*$/;
const EXPORTED = /^([A-Za-z_]\w*)(?:=[\s\S]*)?$/;

/** `printf -v` assigns to a name whose subscript runs: its first word must be known not to be that. */
export function printfStart(words: readonly ReadWord[]): Start | null {
  const first = words[1];
  if (first === undefined || first.value === "--") return null;
  const text = first.value ?? (first.splits ? "-" : first.source.replace(/^["']/, ""));
  const isFormat = text !== "" ? !/^[-$`]/.test(text) : true;
  return isFormat || first.value === "-"
    ? null
    : opaqueStart("printf -v assigns to a name that may run text");
}

/** `export` and `readonly` of plain names: anything else may be a subscript, or a name that matters. */
export function exportStart(name: string, words: readonly ReadWord[]): Start | null {
  for (const word of words.slice(1)) {
    if (word.value === "-p" || word.value === "--") continue;
    const exported = EXPORTED.exec(word.value ?? "")?.[1];
    if (exported === undefined) return opaqueStart(`${name}: what it sets cannot be told`);
    if (isDangerousVariable(exported)) return opaqueStart(`an assignment to ${exported}`);
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

const UNARY = /^-[abcdefgGhkLnNOoprsStuwxz]$/;
const BINARY = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** `test` and `[`: -v and -R evaluate a subscript, so every operator must be known, and no operand may split. */
export function testStart(name: string, words: readonly ReadWord[]): Start | null {
  const end = name === "[" && words.at(-1)?.value === "]" ? words.length - 1 : words.length;
  const own = words.slice(1, end);
  if (own.every((word) => word.value !== null && word.value !== "-v" && word.value !== "-R")) return null;
  return isPlainTest(own) ? null : opaqueStart(`${name}: a word could be an operator that runs text`);
}

function isPlainTest(words: readonly ReadWord[]): boolean {
  if (words.some((word) => word.splits)) return false;
  const [first, second, third] = words;
  if (first?.value === "!" && words.length > 1) return isPlainTest(words.slice(1));
  if (words.length <= 1) return true;
  if (words.length === 2) return UNARY.test(first?.value ?? "");
  if (words.length === 3) return BINARY.test(second?.value ?? "") && third !== undefined;
  return false;
}
