import { type NamedFile, unnamed, valueWord } from "./named-file.js";
import type { ReadOption } from "./options.js";
import { plainWord, type ReadWord } from "./read-word.js";
import { isShortFor } from "./short-option.js";
import type { DefaultFile } from "./tables/file-programs.js";
import { wordPath } from "./targets.js";

/** The files that a program writes where its options name no other. */
export function defaultFiles(
  defaults: readonly DefaultFile[],
  options: readonly ReadOption[],
  operands: readonly ReadWord[],
): NamedFile[] {
  const subcommand = operands[0]?.value;
  const isThere = (wanted: string): boolean =>
    wanted === subcommand ||
    options.some(({ name }) => name === wanted || name === `-${wanted}` || isShortFor(name, wanted));
  return defaults.flatMap((file): NamedFile[] => {
    if (file.with?.every(isThere) === false) return [];
    if (file.any !== undefined && !options.some(({ name }) => isOneOf(name, file.any))) return [];
    if (file.by !== undefined && !options.some(({ name }) => file.by?.test(name))) return [];
    if (options.some((option) => isSure(option, file.unless))) return [];
    if (file.operands !== undefined && !operands.some(({ loose }) => file.operands?.test(loose))) return [];
    const { path, ending, beside, operation = "write" } = file;
    if (path !== undefined) return [{ operation, word: plainWord(path), path }];
    if (beside !== undefined) {
      const named = options.filter((option) => isSure(option, beside)).map(valueWord);
      if (named.length === 0) return [unnamed("write")];
      return named.map((word) => ({ operation, word, path: withEnding(wordPath(word), ending) }));
    }
    if (ending === undefined) return [unnamed("write")];
    return operands.map((word) => ({
      operation: "write",
      word,
      path: withEnding(baseName(wordPath(word)), ending),
    }));
  });
}

/** Whether an option is one of these, and no value of the one before it. */
export function isSure({ name, claimed }: ReadOption, wanted: readonly string[] | undefined): boolean {
  return claimed !== true && isOneOf(name, wanted);
}

/** Whether an option is one of these, or a long one of them cut short. */
export function isOneOf(name: string, wanted: readonly string[] = []): boolean {
  return wanted.some((option) => option === name || isShortFor(name, option));
}

function withEnding(path: string | null, ending: string | undefined): string | null {
  return path === null || ending === undefined ? path : `${path.replace(/\.[^./]*$/, "")}${ending}`;
}

function baseName(path: string | null): string | null {
  return path === null ? null : path.slice(path.lastIndexOf("/") + 1);
}
