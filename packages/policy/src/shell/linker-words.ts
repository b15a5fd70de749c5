import { plainWord, type ReadWord } from "./read-word.js";

/**
 * What the driver of a compiler hands on to the linker, each list as long as its words follow one another in the command:
 * what stands between two lists there may come anywhere else on the linker's line, so no word of one completes another.
 */
export function linkerLists(argv: readonly ReadWord[]): ReadWord[][] {
  const lists: ReadWord[][] = [];
  let open: ReadWord[] | undefined;
  argv.forEach((word, at) => {
    const text = word.value ?? "";
    if (text === "-Xlinker") return;
    const isNext = argv[at - 1]?.value === "-Xlinker";
    if (!isNext && !text.startsWith("-Wl,")) {
      open = undefined;
      return;
    }
    if (open === undefined) {
      open = [];
      lists.push(open);
    }
    open.push(...(isNext ? [word] : text.slice(4).split(",").map(plainWord)));
  });
  return lists;
}

/**
 * Each word for the linker as a command of its own, with the one after it where that may be its value: whether it is an option,
 * the value of one, or a file depends on words that are not in the list.
 */
export function linkerCommands(lists: readonly (readonly ReadWord[])[]): ReadWord[][] {
  return lists.flatMap((list) =>
    list.map((word, at) => {
      const next = list[at + 1];
      const isValue = next !== undefined && /^-/.test(word.loose) && /^[^-]/.test(next.loose);
      return [LINKER, word, ...(isValue ? [next] : [])];
    }),
  );
}

const LINKER = plainWord("ld");
const FOR_LIBRARIES = /^(?:-[Ll]|--library)/;
const NOT_JOINED = /^(?:-[Ll]|--library(?:-path|-directory)?)$/;

/** The words about libraries and their folders, wherever they stand, as a command of their own. */
export function libraryWords(words: readonly ReadWord[]): ReadWord[] {
  return [
    LINKER,
    ...words.flatMap((word, at) => {
      if (!FOR_LIBRARIES.test(word.loose)) return [];
      const next = words[at + 1];
      return next === undefined || !NOT_JOINED.test(word.loose) ? [word] : [word, next];
    }),
  ];
}
