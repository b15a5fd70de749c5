import { type NamedFile, named, unnamed, valueWord } from "./named-file.js";
import { readOptions } from "./options.js";
import { plainWord, type ReadWord } from "./read-word.js";
import { wordPath } from "./targets.js";

export function tarTargets(argv: readonly ReadWord[]): NamedFile[] {
  const bundled = /^[A-Za-z]+$/.test(argv[1]?.value ?? "") ? [plainWord(`-${argv[1]?.value}`)] : [];
  const words = bundled.length === 0 ? argv : [argv[0] as ReadWord, ...bundled, ...argv.slice(2)];
  const { options, operands } = readOptions(words, {
    values: "fCbgHKLNTVX",
    longValues: ["--file", "--directory", "--exclude", "--files-from"],
  });
  const has = (...names: string[]): boolean => options.some((option) => names.includes(option.name));
  const writes = has("-c", "-r", "-u", "-A", "--create", "--append", "--update", "--concatenate", "--delete");
  const extracts = has("-x", "--extract", "--get");
  const found: NamedFile[] = [];
  for (const { name, value, word } of options) {
    const file = word ?? plainWord(value ?? "");
    if (name === "-f" || name === "--file") found.push(named(writes ? "write" : "read", file));
  }
  const folders = options.filter(({ name }) => name === "-C" || name === "--directory").map(valueWord);
  if (writes) for (const operand of operands) found.push(...readBelow(folders, operand));
  if (options.some(({ name }) => name === "-T" || name === "--files-from")) found.push(unnamed("read"));
  if (extracts || !(writes || has("-t", "--list"))) found.push(unnamed("write"));
  return found;
}

/** A file that is looked for where tar is, or in any of the folders that it was sent to. */
function readBelow(folders: readonly ReadWord[], operand: ReadWord): NamedFile[] {
  const path = wordPath(operand);
  const found: NamedFile[] = [named("read", operand)];
  if (path?.startsWith("/") === true) return found;
  for (const folder of folders) {
    const at = wordPath(folder);
    found.push({
      operation: "read",
      word: operand,
      path: at === null || path === null ? null : `${at}/${path}`,
    });
  }
  return found;
}

/** The first operand is the archive; without files, or with `-@`, their names come from its input. */
export function zipTargets(argv: readonly ReadWord[]): NamedFile[] {
  const { options, operands } = readOptions(argv, { values: "bnPtO" });
  const [archive, ...files] = operands;
  const found = archive === undefined ? [] : [named("write", archive)];
  for (const { name, value, word } of options)
    if (name === "-O" || name === "--out") found.push(named("write", word ?? plainWord(value ?? "")));
  for (const file of files) found.push(named("read", file));
  if (options.some(({ name }) => name === "-@")) found.push(unnamed("read"));
  if (options.some(({ name }) => name === "-m")) for (const file of files) found.push(named("remove", file));
  return found;
}
