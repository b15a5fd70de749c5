import { type NamedFile, unnamed } from "./named-file.js";
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
    if (options.some(({ name }) => file.unless?.includes(name) === true)) return [];
    if (file.operands !== undefined && !operands.some(({ loose }) => file.operands?.test(loose))) return [];
    const { path, ending } = file;
    if (path !== undefined) return [{ operation: "write", word: plainWord(path), path }];
    if (ending === undefined) return [unnamed("write")];
    return operands.map((word) => ({ operation: "write", word, path: withEnding(wordPath(word), ending) }));
  });
}

function withEnding(path: string | null, ending: string): string | null {
  return path === null ? null : `${path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "")}${ending}`;
}
