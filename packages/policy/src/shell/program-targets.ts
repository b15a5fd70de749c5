import { tarTargets, zipTargets } from "./archive-targets.js";
import { defaultFiles, isOneOf, isSure } from "./default-files.js";
import { gitPlace, gitReads, gitRemovals, mayWriteOutput } from "./git-targets.js";
import { heldFiles } from "./held-files.js";
import { joinFolder } from "./join-folder.js";
import { libraryWords, linkerCommands, linkerLists } from "./linker-words.js";
import { type NamedFile, named, unnamed, valueWord } from "./named-file.js";
import { type ReadOption, readOptions } from "./options.js";
import { ddTargets, findTargets, inputAndOutput, treeTargets } from "./own-targets.js";
import { withPossible } from "./possible-files.js";
import { plainWord, type ReadWord } from "./read-word.js";
import type { ShellTarget } from "./shell-analysis.js";
import { isShortFor } from "./short-option.js";
import { withoutEnd } from "./slashes.js";
import { soughtFiles } from "./sought-files.js";
import { awkProgram } from "./starts/awk-start.js";
import { tableName } from "./starts/start.js";
import { COMPILERS, LIBRARIES, LIBRARY_SHAPE, LINKED } from "./tables/compilers.js";
import type { FileProgram } from "./tables/file-programs.js";
import { GIT_FILES_BY_NAME } from "./tables/git-files.js";
import { GO, GO_KNOWN, TSC } from "./tables/languages.js";
import { READERS } from "./tables/readers.js";
import { WRITERS } from "./tables/writers.js";
import { wordPath } from "./targets.js";

const PROGRAMS: ReadonlyMap<string, FileProgram> = new Map(
  [...READERS, ...WRITERS].flatMap((program) =>
    program.names.map((name): [string, FileProgram] => [name, program]),
  ),
);

export function isFileProgram(name: string): boolean {
  return PROGRAMS.has(name) || OWN.has(name);
}

/** The files that a command's words name, as far as our tables know its program. */
export function programTargets(argv: readonly ReadWord[]): NamedFile[] {
  const called = argv[0]?.value ?? null;
  if (called === null) return [];
  const name = tableName(called);
  const own = OWN.get(name);
  if (own !== undefined) return own(argv);
  const program = PROGRAMS.get(name);
  if (program === undefined) return [];
  const found = tableTargets(program, argv);
  if (COMPILERS.includes(name)) {
    const lists = linkerLists(argv);
    found.push(...linkerCommands(lists).flatMap((words) => tableTargets(LINKED, words)));
    const libraries = libraryWords([...argv.slice(1), ...lists.flat()]);
    found.push(...soughtFiles(LIBRARIES, readOptions(libraries, LIBRARY_SHAPE).options));
  }
  if (name.endsWith("awk") && awkProgram(argv).writes) found.push(unnamed("write"));
  return found;
}

function tableTargets(program: FileProgram, argv: readonly ReadWord[]): NamedFile[] {
  const { options, operands, unsure, spreads } = readOptions(argv, program);
  const found: NamedFile[] = [];
  const has = (names: readonly string[] | undefined): boolean =>
    options.some(({ name }) => isOneOf(name, names));
  const { shownWith } = program;
  const shows = shownWith === undefined || options.some((option) => isSure(option, shownWith));
  for (const option of options) {
    const { name, value, word } = option;
    const text = word === null && value !== null ? `${name}=${value}` : name;
    const valued = `${name}=${word?.loose ?? value ?? ""}`;
    const writes =
      program.writesWith?.some((long) => long === name || isShortFor(name, long)) === true ||
      program.writingOption?.test(text) === true ||
      program.writingValue?.test(valued) === true;
    if (writes) found.push(unnamed("write"));
    const operation = fileOperation(program, name) ?? readValue(program, option);
    const isOutput = value === "-" && program.outputs?.includes(name) === true && shows;
    if (operation !== undefined && !isOutput) found.push(named(operation, valueWord(option)));
  }
  for (const held of program.held ?? []) found.push(...heldFiles(program, held, options, operands));
  for (const sought of program.sought ?? []) found.push(...soughtFiles(sought, options));
  found.push(...defaultFiles(program.defaults ?? [], options, operands));
  const read = { unsure, spreads };
  if (onlyReads(program, options)) {
    found.push(...operands.map((word) => named("read", word)));
    return withPossible(found, { ...program, operands: "read" }, read);
  }
  const files = operands.slice(has(program.unskip) ? 0 : (program.skip ?? 0));
  const isWhole = program.operands === "here" || has(program.recursive);
  if (files.length === 0 && isWhole) found.push(named("read", plainWord(".")));
  switch (program.operands) {
    case "destination":
      found.push(...copied(program, options, files));
      break;
    case "first":
    case "rest":
      files.forEach((word, at) => {
        const isFirst = at === 0;
        const isAlone = program.alone === true && files.length === 1;
        if (isFirst || program.operands === "first") found.push(named("read", word));
        if (isAlone || isFirst === (program.operands === "first")) found.push(named("write", word));
      });
      break;
    case "none":
      break;
    default:
      for (const word of files)
        found.push(named(program.operands === "here" ? "read" : program.operands, word));
  }
  if (has(program.inPlace)) for (const word of files) found.push(named("write", word));
  if (program.onlyReads !== undefined && program.operands !== "first")
    for (const word of files) found.push(named("read", word));
  if (program.writesUnnamed === true) found.push(unnamed("write"));
  return withPossible(found, program, read);
}

/** Whether an option has all operands only read, and none after it takes that back. */
function onlyReads({ onlyReads = [] }: FileProgram, options: readonly ReadOption[]): boolean {
  const denied = onlyReads.map((name) => name.replace(/^--/, "--no-"));
  return (
    options.some((option) => option.claimed !== true && onlyReads.includes(option.name)) &&
    !options.some(({ name }) => /^--no-./.test(name) && denied.some((long) => long.startsWith(name)))
  );
}

/** What becomes of the file that an option names. Long options may be cut short. */
function fileOperation(
  { files, longValues, exact }: FileProgram,
  name: string,
): ShellTarget["operation"] | undefined {
  if (files === undefined) return undefined;
  if (Object.hasOwn(files, name)) return files[name];
  const long = exact === true ? undefined : Object.keys(files).find((key) => isShortFor(name, key));
  return long === undefined || longValues?.includes(name) === true ? undefined : files[long];
}

function readValue({ readsValues, longValues }: FileProgram, option: ReadOption): "read" | undefined {
  const hasValue = option.name.length > 2 && (option.value !== null || option.word !== null);
  return readsValues === true && hasValue && longValues?.includes(option.name) !== true ? "read" : undefined;
}

/** `cp`, `mv`, `ln` and `install`: what is written is the last operand, or where the sources' names lead below it. */
function copied(
  program: FileProgram,
  options: readonly ReadOption[],
  operands: readonly ReadWord[],
): NamedFile[] {
  const isFolderMaker =
    program.names.includes("install") && options.some(({ name }) => name === "-d" || name === "--directory");
  if (isFolderMaker) return operands.map((word) => named("write", word));
  const into = options.find(({ name }) => program.into?.some((key) => key === name || isShortFor(name, key)));
  const target = into === undefined ? operands.at(-1) : valueWord(into);
  if (target === undefined) return [];
  const sources = into === undefined ? operands.slice(0, -1) : operands;
  const found: NamedFile[] = [];
  for (const word of sources) {
    found.push(named("read", word));
    if (program.moves === true) found.push(named("remove", word));
  }
  if (
    program.names.includes("ln") &&
    options.some(({ name }) => name === "-s" || isShortFor(name, "--symbolic"))
  )
    found.push(...linked(target, sources));
  if (sources.length === 0) {
    const path = wordPath(target);
    found.push(named("read", target), below(plainWord("."), ".", path));
    return found;
  }
  found.push(named("write", target));
  if (options.some(({ name }) => name === "-T" || name === "--no-target-directory")) return found;
  const folder = pathOfFolder(target);
  for (const word of sources) found.push(below(target, folder, wordPath(word)));
  return found;
}

/** A link leads on from the folder that it is in: the target's, or the target itself where that is a folder. */
function linked(target: ReadWord, sources: readonly ReadWord[]): NamedFile[] {
  const at = wordPath(target);
  const above = at === null ? "" : withoutEnd(at).replace(/[^/]*$/, "");
  const folders = at === null ? [] : [above, `${at}/`].filter((folder) => folder !== "");
  return sources.flatMap((word) => {
    const source = wordPath(word);
    if (source === null || source.startsWith("/")) return [];
    return folders.map((folder): NamedFile => ({ operation: "read", word, path: `${folder}${source}` }));
  });
}

/** The file that takes a source's name in a folder. */
function below(word: ReadWord, folder: string | null, source: string | null): NamedFile {
  const name = source === null ? "" : withoutEnd(source).split("/").at(-1);
  const path = folder === null || name === undefined || name === "" ? null : `${folder}/${name}`;
  return { operation: "write", word, path };
}

function pathOfFolder(word: ReadWord): string | null {
  const path = wordPath(word);
  return path === null ? null : withoutEnd(path);
}

const OWN: ReadonlyMap<string, (argv: readonly ReadWord[]) => NamedFile[]> = new Map([
  ["dd", ddTargets],
  ["uniq", (argv) => inputAndOutput(argv, "fsw")],
  ["xxd", (argv) => inputAndOutput(argv, "cglnosR")],
  ["find", findTargets],
  ["gfind", findTargets],
  ["tar", tarTargets],
  ["gtar", tarTargets],
  ["bsdtar", tarTargets],
  ["zip", zipTargets],
  ["git", gitTargets],
  ["tree", treeTargets],
  ["go", (argv) => tableTargets(GO, goWords(argv))],
  // It takes its options in letters of any size.
  ["tsc", (argv) => tableTargets(TSC, argv.map(inSmallLetters))],
]);

/** Where git archive and format-patch write, maybe behind letters without a value. */
const SHORT_OUTPUT = /^-[abknNpqRrstuvwWzD\d]*o([\s\S]+)?$/;

/** What git may show, and of its many ways to write those that name a file outside its own store. */
function gitTargets(argv: readonly ReadWord[]): NamedFile[] {
  const found: NamedFile[] = [...gitReads(argv), ...gitRemovals(argv)];
  const { words, folder } = gitPlace(argv);
  const name = words[0]?.value ?? "";
  const inner = GIT_FILES_BY_NAME.get(`${name} ${words[1]?.value}`);
  const own = inner ?? GIT_FILES_BY_NAME.get(name);
  if (own !== undefined) {
    const files = tableTargets(own, inner === undefined ? words : words.slice(1));
    found.push(...files.map((file) => inFolder(folder, file)));
  }
  if (mayWriteOutput(argv)) found.push(unnamed("write"));
  const shortens = argv.some(({ value }) => value === "archive" || value === "format-patch");
  argv.forEach((word, at) => {
    const isShort = shortens && SHORT_OUTPUT.test(word.loose);
    if (!isShort && !word.loose.startsWith("--outp")) return;
    const joined = isShort
      ? SHORT_OUTPUT.exec(word.loose)?.[1]
      : /^--outp[a-z-]*=([\s\S]*)$/.exec(word.loose)?.[1];
    const file = joined === undefined ? argv[at + 1] : plainWord(joined);
    if (file === undefined || word.value === null) found.push(unnamed("write"));
    else found.push(inFolder(folder, named("write", file)));
  });
  return found;
}

function inFolder(folder: string | null, file: NamedFile): NamedFile {
  return { ...file, path: file.path === null ? null : joinFolder(folder, file.path) };
}

/** What go itself reads: behind the package, `go run` hands words on. */
function goWords(argv: readonly ReadWord[]): readonly ReadWord[] {
  const shape = { ...GO, leading: true };
  const { firstOperand } = readOptions(argv, shape);
  if (argv[firstOperand]?.value !== "run") return argv;
  const at = firstOperand + readOptions(argv.slice(firstOperand), shape).firstOperand;
  // Behind an option that is not known, it may be the value of that one.
  return GO_KNOWN.test(argv[at - 1]?.value ?? "-") ? argv.slice(0, at + 1) : argv;
}

function inSmallLetters(word: ReadWord): ReadWord {
  return word.value?.startsWith("-") === true ? { ...word, value: word.value.toLowerCase() } : word;
}
