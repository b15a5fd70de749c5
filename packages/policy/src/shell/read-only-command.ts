import { mayBeOption, type ReadOption, readOptions } from "./options.js";
import type { ReadWord } from "./read-word.js";
import { FIND_TESTS, FIND_VALUED } from "./tables/find-tests.js";
import { READ_ONLY_GIT } from "./tables/read-only-git.js";
import { READ_ONLY_PROGRAMS, type ReadOnlyProgram } from "./tables/read-only-programs.js";

const STANDARD_FOLDER = /^(?:\/usr)?\/bin\/(?=[^/]+$)/;

/** Whether a command changes nothing and starts nothing, as the read-only table knows its program. */
export function isReadOnlyCommand(argv: readonly ReadWord[]): boolean {
  const called = argv[0]?.value ?? null;
  if (called === null) return false;
  const name = called.replace(STANDARD_FOLDER, "");
  if (name === "find") return isReadOnlyFind(argv);
  if (name === "git") return isReadOnlyGit(argv);
  const program = READ_ONLY_PROGRAMS.get(name);
  if (program === undefined) return false;
  return program.always === true || isReadOnlyForm(program, argv);
}

function isReadOnlyForm(program: Omit<ReadOnlyProgram, "names">, argv: readonly ReadWord[]): boolean {
  const { options, operands, unsure } = readOptions(argv, program);
  if (unsure || !options.every((option) => isReading(program, option))) return false;
  if (program.operands !== undefined) {
    if (operands.length > program.operands || operands.some((operand) => operand.splits)) return false;
  }
  const { operand } = program;
  return (
    operand === undefined ||
    operands.every(({ source, value }) => operand.test(value ?? source.replace(/^["']/, "")))
  );
}

function isReading(program: Omit<ReadOnlyProgram, "names">, { name, value, word }: ReadOption): boolean {
  if (word !== null && word.value === null && word.splits) return false;
  if (name.startsWith("--")) return program.longFlags?.includes(name) === true;
  const letter = name.slice(1);
  if (program.values?.includes(letter) === true) return value !== null || word !== null;
  return program.flags?.includes(letter) === true || program.attached?.includes(letter) === true;
}

function isReadOnlyFind(argv: readonly ReadWord[]): boolean {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] as ReadWord;
    const text = word.value;
    if (text === null) {
      if (mayBeOption(word)) return false;
      continue;
    }
    if (FIND_VALUED.has(text)) {
      at++;
      if (argv[at]?.splits === true && argv[at]?.expansions.join() !== "glob") return false;
    } else if (text.startsWith("-") && !FIND_TESTS.has(text)) return false;
  }
  return true;
}

function isReadOnlyGit(argv: readonly ReadWord[]): boolean {
  const subcommand = argv[1]?.value ?? null;
  const form = subcommand === null ? undefined : READ_ONLY_GIT.get(subcommand);
  if (form === undefined) return false;
  if (form.always === true) return true;
  const words = argv.slice(1);
  if (!isReadOnlyForm(form, words)) return false;
  if (form.listing === undefined) return true;
  const { options, operands } = readOptions(words, form);
  return operands.length === 0 || options.some((option) => form.listing?.includes(option.name) === true);
}
