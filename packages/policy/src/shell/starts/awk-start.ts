import { readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { awkCode } from "./awk-code.js";
import { isOpenAlready, opaqueStart, type Start } from "./start.js";

const SHAPE = { values: "Fvf", longValues: ["--field-separator", "--assign", "--file"], leading: true };
const HARMLESS: ReadonlySet<string> = new Set([
  "-F",
  "-v",
  "-f",
  "--field-separator",
  "--assign",
  "--file",
  "--posix",
]);

/** The text of an awk program that stands in a command's words. */
export interface AwkProgram {
  /** why it may run something; null: it does not */
  readonly opaque: string | null;
  /** whether it may write a file */
  readonly writes: boolean;
}

export function awkStart(words: readonly ReadWord[]): Start | null {
  const { opaque } = awkProgram(words);
  return opaque === null ? null : opaqueStart(opaque);
}

export function awkProgram(words: readonly ReadWord[]): AwkProgram {
  const { options, operands, unsure } = readOptions(words, SHAPE);
  if (unsure) return refused("awk: what it runs cannot be told");
  let fromFile = false;
  for (const { name, value } of options) {
    if (!HARMLESS.has(name)) return refused("awk: an option may load or write something");
    if (name !== "-f" && name !== "--file") continue;
    fromFile = true;
    if (value === null || isOpenAlready(value)) return refused("awk runs what it reads");
  }
  if (fromFile) return { opaque: null, writes: true };
  const text = operands[0]?.value ?? null;
  if (text === null) return refused("awk: its program is not known");
  const code = awkCode(text);
  if (/system|getline|@|\|/.test((code ?? text).replaceAll("||", "")))
    return refused("awk: its program may run another");
  return { opaque: null, writes: code === null ? /print[\s\S]*>/.test(text) : /print[^;}\n]*>/.test(code) };
}

function refused(opaque: string): AwkProgram {
  return { opaque, writes: true };
}
