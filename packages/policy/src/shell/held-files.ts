import type { ReadOption } from "./options.js";
import { plainWord, type ReadWord, unknownWord } from "./read-word.js";
import type { ShellTarget } from "./shell-analysis.js";
import { isShortFor } from "./short-option.js";
import type { FileProgram, HeldFile } from "./tables/file-programs.js";
import { wordPath } from "./targets.js";

type HeldTarget = Pick<ShellTarget, "operation" | "word" | "path">;

/** Files that stand in the text of an option's value or an operand; a value that is not known may begin with such a mark. */
export function heldFiles(
  program: FileProgram,
  held: HeldFile,
  options: readonly ReadOption[],
  operands: readonly ReadWord[],
): HeldTarget[] {
  const { operation } = held;
  const isCut = (name: string): boolean =>
    program.longValues?.includes(name) !== true && held.options.some((option) => isShortFor(name, option));
  const texts = options
    .filter(({ name }) => held.options.includes(name) || isCut(name))
    .map(({ value, word }) => word ?? plainWord(value ?? ""));
  if (held.options.includes("")) texts.push(...operands);
  return texts.flatMap((word): HeldTarget[] => {
    const path = held.text.exec(word.loose)?.[1];
    if (word.value !== null) {
      return path === undefined || path === "-"
        ? []
        : [{ operation, word: plainWord(path), path: wordPath(plainWord(path)) }];
    }
    const mayBe = path !== undefined || (!operands.includes(word) && /^[$`]/.test(word.loose));
    return mayBe ? [{ operation, word: unknownWord(""), path: null }] : [];
  });
}
