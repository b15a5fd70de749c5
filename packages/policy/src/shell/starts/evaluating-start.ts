import { type ReadOptions, readOptions } from "../options.js";
import { plainWord, type ReadWord, unknownWord } from "../read-word.js";
import type { EvaluatingProgram } from "../tables/evaluating-program.js";
import { EVALUATING_BY_NAME } from "../tables/evaluating-programs.js";
import { isOpenAlready, joinedScript, opaqueStart, type Start, type StartedScript } from "./start.js";

const ONLY_TELLS: ReadonlySet<string> = new Set([
  "-v",
  "-V",
  "-h",
  "--version",
  "--help",
  "-m",
  "--test",
  "--run",
]);

/** What a program of the evaluating programs' table runs of its words; null: nothing. */
export function evaluatingStart(name: string, words: readonly ReadWord[]): Start | null {
  const program = EVALUATING_BY_NAME.get(name);
  if (program === undefined) return null;
  if (program.always === true) return opaqueStart(`${name}: ${program.why}`, payload(program, words));
  const { options, operands, unsure, spreads } = readPossibleOptions(program, words);
  if (program.bundled === true && hasBundledLetter(program, words[1]))
    return opaqueStart(`${name}: ${program.why}`);
  const until = options.findIndex((option) => option.name === program.until);
  if (until >= 0 && !isOtherProgram(program, options[until]?.value ?? null)) {
    return opaqueStart(`${name}: ${program.why}`);
  }
  const own = until < 0 ? options : options.slice(0, until);
  if (program.words !== undefined && beforeEnd(words).some((word) => program.words?.test(word.loose)))
    return opaqueStart(`${name}: ${program.why}`);
  if (own.some((option) => evaluates(program, option.name))) {
    const commands = startedPrograms(program, words);
    const start = opaqueStart(`${name}: ${program.why}`);
    return commands.length === 0 ? start : { ...start, wrapping: "outer", commands };
  }
  const isDoubtful = until < 0 ? unsure : options[until]?.doubtful === true;
  if (isDoubtful && (program.unsure === true || program.input === true || (spreads && hasOptions(program)))) {
    return opaqueStart(`${name}: a word that is not known could be an option that runs something`);
  }
  if (
    program.plus === true &&
    operands.some((operand) => /^["']?(?:\+|\$)/.test(operand.value ?? operand.source))
  ) {
    return opaqueStart(`${name}: ${program.why}`);
  }
  if (program.input !== true || options.some((option) => ONLY_TELLS.has(option.name))) return null;
  const first = operands[0];
  if (first !== undefined && first.value !== null && !isOpenAlready(first.value)) return null;
  return opaqueStart(`${name} runs what it reads`);
}

/** Where the file of code stands that an interpreter is given; null: none. */
export function codeFile(name: string, words: readonly ReadWord[]): number | null {
  const program = EVALUATING_BY_NAME.get(name);
  if (program?.input !== true) return null;
  const { options, operands } = readPossibleOptions(program, words);
  const first = operands[0];
  if (first === undefined || options.some((option) => option.name === program.until)) return null;
  return words.indexOf(first);
}

/**
 * The options before an interpreter's file. What follows an option that is not known may be its value, and no file: then
 * options are looked for after it, too.
 */
function readPossibleOptions(program: EvaluatingProgram, words: readonly ReadWord[]): ReadOptions {
  let read = readOptions(words, program);
  if (program.leading !== true) return read;
  const options = [...read.options];
  let { unsure, spreads } = read;
  for (let rest = words; mayTakeValue(program, rest, read.firstOperand); ) {
    rest = rest.slice(read.firstOperand);
    read = readOptions(rest, program);
    const doubted = unsure;
    options.push(
      ...read.options.map((option) => (doubted ? { ...option, doubtful: true as const } : option)),
    );
    unsure ||= read.unsure;
    spreads ||= read.spreads;
  }
  return { ...read, options, unsure, spreads };
}

/** Whether it has an option that runs something, where a word that becomes several may bring it along. */
function hasOptions({ letters, long, words }: EvaluatingProgram): boolean {
  return letters !== undefined || long !== undefined || words !== undefined;
}

function mayTakeValue(program: EvaluatingProgram, words: readonly ReadWord[], operand: number): boolean {
  const option = operand < words.length && operand > 1 ? (words[operand - 1]?.value ?? null) : null;
  if (option === null || option === "--" || !/^-[^=]+$/.test(option)) return false;
  if (option.startsWith("--")) return program.longFlags?.includes(option) !== true;
  return (
    ![...option.slice(1)].every((letter) => program.flags?.includes(letter)) && !hasValue(program, option)
  );
}

/** Whether a bundle of letters ends in the value of one of them. */
function hasValue({ values = "", attached = "" }: EvaluatingProgram, option: string): boolean {
  return [...option.slice(1)].some(
    (letter, at) => attached.includes(letter) || (values.includes(letter) && at < option.length - 2),
  );
}

/** So many of those programs are shown with all their words, and the others with so many: a long line is read in time. */
const MOST_WHOLE = 16;
const MOST_WORDS = 8;

/** The programs that options such as `fd -x` name, in the same word or the next ones; they get words that the text does not show. */
function startedPrograms({ starts = [] }: EvaluatingProgram, words: readonly ReadWord[]): ReadWord[][] {
  const commands: ReadWord[][] = [];
  words.forEach((word, at) => {
    const joined = starts.map((option) => valueAfter(option, word.loose)).find((value) => value !== null);
    if (joined === undefined || joined === null || at === 0) return;
    const rest = words.slice(at + 1, commands.length < MOST_WHOLE ? undefined : at + 1 + MOST_WORDS);
    const end = rest.findIndex(({ value }) => value === ";");
    const command = end < 0 ? rest : rest.slice(0, end);
    const whole = joined === "" ? command : [plainWord(joined), ...command];
    if (whole.length > 0) commands.push([...whole.map(placed), unknownWord("")]);
  });
  return commands;
}

/** The value that a word joins to an option, empty where it comes in the next; null: another option. */
function valueAfter(option: string, word: string): string | null {
  if (option.startsWith("--")) {
    if (word === option) return "";
    return word.startsWith(`${option}=`) ? word.slice(option.length + 1) : null;
  }
  if (!/^-[A-Za-z]/.test(word)) return null;
  const at = word.indexOf(option.slice(1));
  return at < 0 ? null : word.slice(at + 1).replace(/^=/, "");
}

/** What `fd` puts in the place of braces is a path. */
function placed(word: ReadWord): ReadWord {
  return word.loose.includes("{") ? unknownWord(word.source, word.loose) : word;
}

/** What follows `--` is for another program. */
function beforeEnd(words: readonly ReadWord[]): readonly ReadWord[] {
  const end = words.findIndex((word) => word.value === "--");
  return end < 0 ? words : words.slice(0, end);
}

/** `tar cIf program …`; a word that is not known may hold such a letter. */
function hasBundledLetter(program: EvaluatingProgram, word: ReadWord | undefined): boolean {
  if (word?.value === null) return true;
  const letters = /^[A-Za-z]+$/.exec(word?.value ?? "")?.[0] ?? "";
  return [...letters].some((letter) => program.letters?.includes(letter));
}

function isOtherProgram(program: EvaluatingProgram, value: string | null): boolean {
  return value !== null && program.untilUnless?.includes(value) !== true;
}

function evaluates(program: EvaluatingProgram, option: string): boolean {
  if (option.startsWith("--") || program.singleDash === true) {
    if (program.longFlags?.includes(option) === true) return false;
    return program.long?.some((long) => long === option || abbreviates(option, long)) === true;
  }
  return program.letters?.includes(option.slice(1)) === true;
}

/** Long options may be cut short; with a single dash, compilers join the value to the name. */
function abbreviates(option: string, long: string): boolean {
  return long.startsWith("--") ? option.length > 2 && long.startsWith(option) : option.startsWith(long);
}

function payload(program: EvaluatingProgram, words: readonly ReadWord[]): StartedScript[] {
  switch (program.payload) {
    case "joined":
      return joinedScript(words.slice(1));
    case "script": {
      const option = words.findIndex((word) => /^-[a-z]*c$/.test(word.loose));
      return option < 0 ? [] : joinedScript(words.slice(option + 1, option + 2));
    }
    case "first":
      return joinedScript(words.slice(1, 2));
    case "assigned":
      return words.slice(1).flatMap((word) => {
        const equals = word.loose.indexOf("=");
        return equals < 0 ? [] : [{ text: word.loose.slice(equals + 1), posix: true }];
      });
    default:
      return [];
  }
}
