import { readOptions } from "./options.js";
import { plainWord, type ReadWord } from "./read-word.js";
import type { FileProgram } from "./tables/file-programs.js";

/** Words that only a linker reads. */
const FOR_LINKER = /^-(?:Wl,|Xlinker$|l)/;

/** What the driver of a compiler hands on to the linker, in the order that it has there; none where that is nothing of note. */
export function linkerWords(argv: readonly ReadWord[], driver: FileProgram): ReadWord[] {
  if (!argv.some(({ loose }) => FOR_LINKER.test(loose))) return [];
  const operands = new Set(readOptions(argv, driver).operands);
  const found = [plainWord("ld")];
  argv.forEach((word, at) => {
    const text = word.value ?? "";
    const before = argv[at - 1]?.value ?? "";
    if (at > 0 && (/^-(?:Xlinker|[Ll])$/.test(before) || operands.has(word))) found.push(word);
    else if (text.startsWith("-Wl,")) found.push(...text.slice(4).split(",").map(plainWord));
    else if (/^-[Ll]/.test(text)) found.push(word);
  });
  return found;
}
