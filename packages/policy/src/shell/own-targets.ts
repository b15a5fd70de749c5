import { type NamedFile, named, unnamed } from "./named-file.js";
import { maySpread, readOptions } from "./options.js";
import { plainWord, type ReadWord } from "./read-word.js";

// Programs whose words name files in ways of their own, which no row of a table tells.

export function ddTargets(argv: readonly ReadWord[]): NamedFile[] {
  return argv.slice(1).flatMap((word) => {
    const operand = /^(if|of)=([\s\S]*)$/.exec(word.loose);
    const others = maySpread(word) || (operand === null && word.value === null) ? [unnamed("write")] : [];
    if (operand === null) return others;
    const operation = operand[1] === "if" ? "read" : "write";
    const path = word.value === null ? null : (operand[2] ?? "");
    return [{ operation, word, path } as const, ...others];
  });
}

/** The first operand is read, the second written. */
export function inputAndOutput(argv: readonly ReadWord[], values: string): NamedFile[] {
  const { operands, spreads } = readOptions(argv, { values });
  const [input, output] = operands;
  const found = input === undefined ? [] : [named("read", input)];
  if (output !== undefined || input?.splits === true || spreads)
    found.push(output === undefined ? unnamed("write") : named("write", output));
  return found;
}

const FIND_FILES = /^-(?:fprint0?|fprintf|fls)$/;

export function findTargets(argv: readonly ReadWord[]): NamedFile[] {
  const found: NamedFile[] = [];
  let at = 1;
  while (/^-(?:[HLP]|O\d)$/.test(argv[at]?.value ?? "")) at++;
  const roots: ReadWord[] = [];
  for (; at < argv.length && !/^[-!()]/.test(argv[at]?.loose ?? ""); at++) roots.push(argv[at] as ReadWord);
  if (roots.length === 0) roots.push(plainWord("."));
  for (const root of roots) found.push(named("read", root));
  for (; at < argv.length; at++) {
    const test = argv[at]?.value ?? "";
    const file = argv[at + 1];
    if (FIND_FILES.test(test) && file !== undefined) found.push(named("write", file));
    if (test === "-delete") for (const root of roots) found.push(named("remove", root));
  }
  return found;
}

export function treeTargets(argv: readonly ReadWord[]): NamedFile[] {
  const { options, operands, unsure } = readOptions(argv, { values: "oLPIHT" });
  const roots = operands.length === 0 ? [plainWord(".")] : operands;
  const files = options.filter((option) => option.name === "-o");
  return [
    ...roots.map((root) => named("read", root)),
    ...files.map(({ word, value }) => named("write", word ?? plainWord(value ?? ""))),
    ...(unsure ? [unnamed("write")] : []),
  ];
}
