import { mayBeOption } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { isOpenAlready, opaqueStart, type Start } from "./start.js";

/** Letters of a shell's options that change nothing about what its script means. */
const HARMLESS = /^[ceuxfov]*$/;
const HARMLESS_LONG: ReadonlySet<string> = new Set(["--norc", "--noprofile", "--posix"]);

/** How a shell is called. */
interface ShellCall {
  /** -c: the first operand is a script */
  readonly isScript: boolean;
  readonly isLogin: boolean;
  /** it only tells of itself */
  readonly tells: boolean;
  /** an option that may change what it runs, or is not known */
  readonly isStrange: boolean;
  readonly operand: ReadWord | undefined;
  /** where the operand stands among the words */
  readonly at: number;
}

/** `bash -c script`: the script is read here; a file of commands is a program as any other; its input is unseen. */
export function shellStart(name: string, words: readonly ReadWord[]): Start | null {
  const { isScript, isLogin, tells, isStrange, operand } = readCall(words);
  if (isScript && operand !== undefined) {
    const isOpaque = isStrange || operand.value === null;
    return {
      wrapping: isLogin ? "outer" : "transparent",
      opaque: isOpaque ? `what ${name} runs cannot be told` : null,
      commands: [],
      scripts: [{ text: operand.loose, posix: name !== "bash" }],
    };
  }
  if (tells) return null;
  if (isStrange || isScript || operand?.value === null)
    return opaqueStart(`what ${name} runs cannot be told`);
  return operand === undefined || isOpenAlready(operand.value)
    ? opaqueStart(`${name} runs what it reads`)
    : null;
}

/** Where the file of commands stands that a shell is given: it is a program, and what follows are its arguments. */
export function shellFile(words: readonly ReadWord[]): number | null {
  const { isScript, operand, at } = readCall(words);
  return isScript || operand === undefined ? null : at;
}

/** Reads a shell's own options: letters after `-` or `+`, whose `c` is the same, and of which each `o` takes a word that follows. */
function readCall(words: readonly ReadWord[]): ShellCall {
  let isScript = false;
  let isLogin = false;
  let tells = false;
  let isStrange = false;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] as ReadWord;
    const text = word.value;
    if (text === null && mayBeOption(word) && !isScript) isStrange = true;
    if (text === null || !/^[-+]/.test(text)) break;
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    if (text.startsWith("--")) {
      if (text === "--login") isLogin = true;
      else if (text === "--version" || text === "--help") tells = true;
      else if (!HARMLESS_LONG.has(text)) isStrange = true;
      continue;
    }
    const letters = text.slice(1);
    if (letters.includes("c")) isScript = true;
    if (letters.includes("l")) isLogin = true;
    if (letters === "" || !HARMLESS.test(letters.replaceAll("l", ""))) isStrange = true;
    const settings = words.slice(
      at + 1,
      at + 1 + [...letters].filter((letter) => letter === "o" || letter === "O").length,
    );
    if (settings.some((setting) => setting.value === null)) isStrange = true;
    at += settings.length;
  }
  return { isScript, isLogin, tells, isStrange, operand: words[at], at };
}
