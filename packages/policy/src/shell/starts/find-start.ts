import { mayBeOption } from "../options.js";
import { type ReadWord, unknownWord } from "../read-word.js";
import type { Start } from "./start.js";

const EXECUTES: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** `find`: each -exec starts the words up to its `;` or `+`, in which `{}` is a path. */
export function findStart(words: readonly ReadWord[]): Start | null {
  const commands: ReadWord[][] = [];
  let opaque: string | null = null;
  let elsewhere = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as ReadWord;
    if (word.value === null && mayBeOption(word) && !isOfNames(word)) {
      opaque ??= "a word of find that is not known could be -exec";
    }
    if (word.value === null || !EXECUTES.has(word.value)) continue;
    if (word.value.endsWith("dir")) elsewhere = true;
    const { command, ends } = commandAfter(words, at);
    if (!ends) opaque ??= "find: where a command ends cannot be told";
    if (command.length > 0) commands.push(command);
  }
  if (opaque === null && commands.length === 0) return null;
  return {
    wrapping: commands.length === 0 ? "none" : "outer",
    opaque,
    commands,
    scripts: [],
    ...(elsewhere ? { folder: null } : undefined),
  };
}

/** The words after an -exec, up to where it ends, or to the next. */
function commandAfter(words: readonly ReadWord[], start: number): { command: ReadWord[]; ends: boolean } {
  const command: ReadWord[] = [];
  for (let at = start + 1; at < words.length; at++) {
    const inner = words[at] as ReadWord;
    if (inner.value !== null && EXECUTES.has(inner.value)) return { command, ends: false };
    if (inner.value === ";" || (inner.value === "+" && command.at(-1)?.loose === "{}")) break;
    command.push(inner.loose.includes("{}") ? unknownWord(inner.source, inner.loose) : inner);
  }
  return { command, ends: true };
}

/** No name that ends as `*.ts` does is an option of `find`. */
function isOfNames(word: ReadWord): boolean {
  return word.expansions.join() === "glob" && /\.\w+$/.test(word.source);
}
