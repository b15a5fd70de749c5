import type { FileProgram, HeldFile } from "./file-programs.js";
import { filesOf, words } from "./words.js";

/** The drivers of compilers; a version at the end of a name does not count. */
export const COMPILERS: readonly string[] = words("gcc g++ cc c++ clang clang++ c89 c99 gfortran");
export const LINKERS: readonly string[] = words("ld ld.bfd ld.gold ld.lld gold mold");

/** A file that holds more of a program's words. */
const MORE_WORDS: HeldFile = { options: [""], text: /^@([\s\S]+)$/, operation: "read" };
const BY_MORE_WORDS = { operands: /^@/ } as const;

const DRIVER_WRITES = words("-o --output -MF -MJ -aux-info --serialize-diagnostics");
const DRIVER_READS = words("-include -imacros -T");
const DRIVER = {
  singleDash: true,
  joinable: ["-o", "-MF"],
  longValues: [
    ...DRIVER_WRITES,
    ...DRIVER_READS,
    ...words("-MT -MQ -x -I -L -D -U -l -isystem -iquote -idirafter"),
  ],
  files: { ...filesOf("write", DRIVER_WRITES), ...filesOf("read", DRIVER_READS) },
  held: [MORE_WORDS],
  /** Rules for make, listings, dumps and coverage; and options for other tools with which they write. */
  writingOption:
    /^--(?:write-|compile|assem|dump)|^--?(?:MM?D$|save-|coverage|time=|analyze|emit-|precomp|for-|X)|^-(?:cc1|mllvm|gsplit|W[ap],|d(?![DIMNUy]|ump\w{5,}$))|^-f(?:dump|opt-|optimiz|stack-u|callg|test-c|profile-[an]|time-|modul|ada|save-|crash|diagnostics-[af])|^-Wl,(?:.*,)?-+(?:[ocmMT]|dep|rep|pri|tim|why|lto|thin|save|separ)/,
} satisfies Partial<FileProgram>;

const NOT_COMPILED = words("-o --output -E -M -MM -fsyntax-only");

const LINKER_WRITES = words(
  "-o --output -Map --Map -dependency-file --dependency-file -out-implib --out-implib",
);
const LINKER_READS = words("-T --script -R");

/** Programs that make programs. */
export const MAKERS: readonly FileProgram[] = [
  {
    names: COMPILERS,
    why: "writes what -o names, or after its operands",
    operands: "read",
    ...DRIVER,
    defaults: [
      { operands: /^/, unless: [...NOT_COMPILED, "-c", "-S"], path: "a.out" },
      { with: ["-c"], unless: NOT_COMPILED, ending: ".o" },
      { with: ["-S"], unless: NOT_COMPILED, ending: ".s" },
      // A header is compiled to a file beside it.
      { operands: /\.[hH][\w+]*$/, unless: NOT_COMPILED },
      { with: ["-x"], unless: NOT_COMPILED },
    ],
  },
  {
    names: ["cpp"],
    why: "writes the second operand",
    operands: "rest",
    ...DRIVER,
  },
  {
    names: LINKERS,
    why: "writes what -o names",
    operands: "read",
    singleDash: true,
    joinable: ["-o"],
    longValues: [...LINKER_WRITES, ...LINKER_READS, ...words("-L -l -m -e -z -soname -rpath")],
    files: { ...filesOf("write", LINKER_WRITES), ...filesOf("read", LINKER_READS) },
    // A script of the linker may name what is written.
    defaults: [
      { unless: ["-o", "--output", "--version", "--help"] },
      { with: ["-c"] },
      { with: ["--mri-script"] },
    ],
    writingOption: /^--?(?:M(?!ap)|repro|time-|print-|why-|save-)/,
    held: [MORE_WORDS],
  },
  {
    names: ["as"],
    why: "writes what -o names, and a list where -a does",
    operands: "read",
    values: "oI",
    attached: "amgOQWK",
    longValues: ["--MD", "--defsym"],
    files: { "-o": "write", "--MD": "write" },
    held: [{ options: ["-a"], text: /=([\s\S]+)$/, operation: "write" }, MORE_WORDS],
    // `-MD FILE`, too, names rules for make.
    writesWith: ["-D"],
    defaults: [{ unless: ["-o", "--version", "--help"], path: "a.out" }, BY_MORE_WORDS],
  },
  {
    names: ["objcopy"],
    why: "writes the second operand, or the only one",
    operands: "rest",
    alone: true,
    values: "IOBFjRNKLGWb",
    attached: "i",
    longValues: words("--only-section --add-section --dump-section"),
    held: [{ options: ["", "--dump-section"], text: /^[^=]+=([\s\S]+)$/, operation: "write" }, MORE_WORDS],
    defaults: [BY_MORE_WORDS],
  },
  {
    names: ["strip"],
    why: "writes its operands, or what -o names",
    operands: "write",
    values: "IOFRNKo",
    longValues: ["--output-file"],
    files: { "-o": "write", "--output-file": "write" },
    onlyReads: ["-o", "--output-file"],
    held: [MORE_WORDS],
    defaults: [BY_MORE_WORDS],
  },
];
