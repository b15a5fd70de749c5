import type { ReadOption } from "./options.js";
import { plainWord, type ReadWord, unknownWord } from "./read-word.js";
import type { ShellTarget } from "./shell-analysis.js";
import { wordPath } from "./targets.js";

/** A file that a program's words name, before it is known where the program runs. */
export type NamedFile = Pick<ShellTarget, "operation" | "word" | "path"> & {
  /** the path begins where the line starts, wherever the program runs; default false */
  readonly rooted?: boolean;
};

export function named(operation: ShellTarget["operation"], word: ReadWord): NamedFile {
  return { operation, word, path: wordPath(word) };
}

export function unnamed(operation: ShellTarget["operation"]): NamedFile {
  return { operation, word: unknownWord(""), path: null };
}

export function valueWord({ word, value }: ReadOption): ReadWord {
  return word ?? (value === null ? unknownWord("") : plainWord(value));
}
