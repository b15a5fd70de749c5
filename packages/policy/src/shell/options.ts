import type { ReadWord } from "./read-word.js";
import { isShortFor } from "./short-option.js";

/** Which of a program's options take a value; all others are read as flags. */
export interface OptionShape {
  /** letters of short options that take a value, in the same word or the next */
  readonly values?: string;
  /** names of long options, dashes included, whose value is the next word unless `=` gives it */
  readonly longValues?: readonly string[];
  /** letters of short options whose value, if any, is the rest of their word */
  readonly attached?: string;
  /** long options begin with a single dash, and letters are never bundled, as in `find` and `go` */
  readonly singleDash?: boolean;
  /** where options have a single dash: those whose value may be the rest of their word (`gcc -of`) */
  readonly joinable?: readonly string[];
  /** options end at the first operand, as where a command follows */
  readonly leading?: boolean;
  /** long options with a value may be cut short */
  readonly shortens?: boolean;
  /** options known to take no value; where it is given, any other may take the next word as its own, whatever that is */
  readonly plain?: RegExp;
}

/** An option as it stands in a command. */
export interface ReadOption {
  /** `-o` or `--output`; a bundle gives one for each of its letters */
  readonly name: string;
  /** its value; null where it has none, or where it is not known */
  readonly value: string | null;
  /** the word that holds the value, where that is a whole word of its own, or where the value is not known */
  readonly word: ReadWord | null;
  /** a word before it could be any option; default false */
  readonly doubtful?: true;
  /** the option before it may take its word as a value; default false */
  readonly claimed?: true;
}

/** A command's words after the program, told apart. */
export interface ReadOptions {
  readonly options: readonly ReadOption[];
  readonly operands: readonly ReadWord[];
  /** the index in `words` of the first operand; the length of `words` where there is none */
  readonly firstOperand: number;
  /** a word whose text is not known stands where an option may, or may bring one along: it could be any */
  readonly unsure: boolean;
  /** a word may become several: there may be more operands than stand here */
  readonly spreads: boolean;
}

/** Tells options from operands in `words`, the program's own word first. GNU programs take options after operands too. */
export function readOptions(words: readonly ReadWord[], shape: OptionShape): ReadOptions {
  const options: ReadOption[] = [];
  const operands: ReadWord[] = [];
  let firstOperand = words.length;
  let unsure = false;
  let spreads = false;
  let ended = false;
  let claims = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as ReadWord;
    const text = word.value;
    if (text === null) {
      const name = ended ? null : namedOption(word);
      if (name !== null) {
        options.push({ name, value: null, word });
        continue;
      }
      if (!ended && mayBeOption(word)) unsure = true;
      if (maySpread(word)) spreads = true;
    }
    const isOption = !ended && text !== null && text.length > 1 && text.startsWith("-");
    if (!isOption) {
      if (firstOperand === words.length) firstOperand = at;
      operands.push(word);
      claims = false;
      if (shape.leading === true) break;
      continue;
    }
    if (text === "--") {
      ended = true;
      if (claims) unsure = true;
      continue;
    }
    const next = words[at + 1] ?? null;
    const first = options.length;
    const isLong = text.startsWith("--") || shape.singleDash === true;
    const takesNext = (isLong ? readLong : readBundle)(text, next, shape, options);
    if (unsure) mark(options, first, { doubtful: true });
    if (claims) mark(options, first, { claimed: true });
    const last = options.at(-1);
    claims = shape.plain !== undefined && last?.value === null && !shape.plain.test(last.name);
    if (!takesNext) continue;
    claims = false;
    at++;
    // A value that becomes several words brings along whatever it likes.
    if (next !== null && maySpread(next)) {
      unsure = true;
      spreads = true;
    }
  }
  return { options, operands, firstOperand, unsure, spreads };
}

function mark(options: ReadOption[], first: number, as: Partial<ReadOption>): void {
  for (let at = first; at < options.length; at++) options[at] = { ...(options[at] as ReadOption), ...as };
}

const NAMED = /^"?(--[a-z][a-z0-9-]*)=/;

/** The name of a long option whose value alone is not known; null: another word. */
function namedOption(word: ReadWord): string | null {
  return word.splits || word.value !== null ? null : (NAMED.exec(word.source)?.[1] ?? null);
}

/** Whether a word may become several. */
export function maySpread(word: ReadWord): boolean {
  return word.splits && word.value === null && !isTrusted(word);
}

/** Whether a word may become several, of which those after the first could be anything. */
export function mayBringAny(word: ReadWord): boolean {
  if (!maySpread(word) || word.expansions.every((expansion) => KEEPS_BEGINNING.has(expansion))) return false;
  return word.expansions.includes("substitution") || !ONE_PATH.test(word.source);
}

/** `A=$HOME/src` is one word wherever a shell is in order. */
const ONE_PATH = /^[\w./:=@%+,-]*(?:\$(?:(?:HOME|PWD)(?!\w)|\{(?:HOME|PWD)\}|[?#])[\w./:=@%+,-]*)+$/;

/** Whether a word whose text is not known could begin with a dash, or bring along words that do. */
export function mayBeOption(word: ReadWord): boolean {
  if (isTrusted(word)) return false;
  if (word.splits && word.expansions.some((expansion) => !KEEPS_BEGINNING.has(expansion))) return true;
  return /^["']*(?:[$`?*[{-]|$)/.test(word.source);
}

/** `$HOME/src` begins with a slash wherever a shell is in order, and `$?` is a number. */
const TRUSTED = /^"?(?:\$[?#]|(?:\$(?:HOME|PWD)|\$\{(?:HOME|PWD)\}|~)(?:\/[\w./-]*)?)"?$/;

/** What another program puts into a word, as `xargs` does, is not to be trusted for how the word stands in the text. */
function isTrusted(word: ReadWord): boolean {
  return TRUSTED.test(word.source) && !word.expansions.includes("substitution");
}

/** Words that a glob or braces give begin as they are written. */
const KEEPS_BEGINNING: ReadonlySet<string> = new Set(["glob", "brace", "tilde"]);

/** Answers whether the next word was used up. */
function readLong(text: string, next: ReadWord | null, shape: OptionShape, options: ReadOption[]): boolean {
  const isWhole = shape.longValues?.includes(text.split("=", 1)[0] as string) === true;
  const joined = shape.joinable?.find(
    (name) => text.length > name.length && text.startsWith(name) && (!isWhole || text[name.length] === "="),
  );
  if (joined !== undefined) {
    options.push({ name: joined, value: text.slice(joined.length), word: null });
    return false;
  }
  const equals = text.indexOf("=");
  if (equals > 0) {
    options.push({ name: text.slice(0, equals), value: text.slice(equals + 1), word: null });
    return false;
  }
  const valued = shape.longValues?.find(
    (name) => name === text || (shape.shortens === true && isShortFor(text, name)),
  );
  if (valued !== undefined && next !== null) {
    options.push({ name: valued, value: next.value, word: next });
    return true;
  }
  options.push({ name: text, value: null, word: null });
  return false;
}

function readBundle(text: string, next: ReadWord | null, shape: OptionShape, options: ReadOption[]): boolean {
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] as string;
    const name = `-${letter}`;
    if (shape.attached?.includes(letter) === true) {
      options.push({ name, value: text.slice(at + 1), word: null });
      return false;
    }
    if (shape.values?.includes(letter) !== true) {
      options.push({ name, value: null, word: null });
      continue;
    }
    if (at + 1 < text.length) {
      options.push({ name, value: text.slice(at + 1), word: null });
      return false;
    }
    options.push({ name, value: next?.value ?? null, word: next });
    return next !== null;
  }
  return false;
}
