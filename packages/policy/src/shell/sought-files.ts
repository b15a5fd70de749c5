import { joinFolder } from "./join-folder.js";
import { type NamedFile, unnamed, valueWord } from "./named-file.js";
import type { ReadOption } from "./options.js";
import { plainWord } from "./read-word.js";
import type { SoughtFile } from "./tables/file-programs.js";
import { wordPath } from "./targets.js";

/** Nobody writes more pairs of folder and name. */
const MOST_PAIRS = 1_000;

/** Files that a program looks for by name in folders, where options give both. */
export function soughtFiles(sought: SoughtFile, options: readonly ReadOption[]): NamedFile[] {
  const texts = (wanted: readonly string[], text: RegExp): (string | null)[] =>
    options
      .filter(({ name }) => wanted.includes(name))
      .map((option) => wordPath(valueWord(option)))
      .flatMap((path) => (path === null ? [null] : (text.exec(path)?.slice(1) ?? [])));
  const folders = texts(sought.folders, /^=?([\s\S]+)$/);
  const names = texts(sought.options, sought.text);
  const escapes = names.some((name) => name !== null && sought.anywhere?.test(name) === true);
  if (escapes || folders.length * names.length > MOST_PAIRS) return [unnamed("read")];
  return folders.flatMap((folder) =>
    names.map((name): NamedFile => {
      const path = folder === null || name === null ? null : joinFolder(folder, name);
      return { operation: "read", word: plainWord(path ?? ""), path };
    }),
  );
}
