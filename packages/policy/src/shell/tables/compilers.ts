import type { DefaultFile, FileProgram, HeldFile, SoughtFile } from "./file-programs.js";
import { filesOf, words } from "./words.js";

/** The drivers of compilers; a version at the end of a name does not count. */
export const COMPILERS: readonly string[] = words("gcc g++ cc c++ clang clang++ c89 c99 gfortran");
export const LINKERS: readonly string[] = words("ld ld.bfd ld.gold ld.lld ld.mold ld64 ld64.lld gold mold");

/** A file that holds more of a program's words. */
export const MORE_WORDS: HeldFile = { options: [""], text: /^@([\s\S]+)$/, operation: "read" };
export const BY_MORE_WORDS = { operands: /^@/ } as const;

/** What a linker tells in files of their own; a part of the name is enough. */
const LINKER_DUMPS = "repr|time-|why-|lto-|thin|save-|separ|pdb|final_o|bitcode|base-f|print-(?:sym|arc)";
/** A script of commands for a linker, in the same word or the next. */
const LINKER_COMMANDS =
  "-c(?!(?:opy-dt-needed-entries|ompress-debug-sections|ref|heck-sections|all_shared)(?:[=,]|$))";
const DRIVER_WRITES = words("-o --output -MF -MJ -aux-info --serialize-diagnostics");
const HEADERS = words("-include -imacros --include --imacros");
const DRIVER_READS = [...HEADERS, "-T"];
/** Where headers are looked for. */
const HEADER_FOLDERS = words("-I -iquote -isystem -idirafter --include-directory --include-directory-after");
/** What a compiler takes from files when it makes code: `=` joins them. */
const FOR_CODE = words(
  "-fauto-profile -fprofile-use -fprofile-instr-use -fprofile-sample-use -fprofile-list -fsanitize-blacklist " +
    "-fsanitize-ignorelist",
);
/** Libraries by their whole name. */
export const LIBRARIES: SoughtFile = {
  options: words("-l --library"),
  text: /^:([\s\S]+)$/,
  folders: words("-L --library-path --library-directory"),
  anywhere: /(?:^|\/)\.\.(?:\/|$)/,
};
/** How a compiler and its linker are told of them. */
export const LIBRARY_SHAPE = {
  singleDash: true,
  joinable: words("-L -l"),
  longValues: [...LIBRARIES.options, ...LIBRARIES.folders],
};
const DRIVER = {
  singleDash: true,
  joinable: words("-o -MF -include -imacros -T -I -iquote -isystem -idirafter"),
  longValues: [
    ...DRIVER_WRITES,
    ...DRIVER_READS,
    ...HEADER_FOLDERS,
    ...words("-MT -MQ -x --language -L -D -U -l"),
  ],
  files: { ...filesOf("write", DRIVER_WRITES), ...filesOf("read", DRIVER_READS) },
  held: [MORE_WORDS, { options: FOR_CODE, text: /^([\s\S]+)$/, operation: "read" }],
  sought: [{ options: HEADERS, text: /^([\s\S]+)$/, folders: HEADER_FOLDERS }],
  outputs: ["-o", "--output", "-MF"],
  plain:
    /^-(?:[EScvwspHQCPr]|###|[WOgIDULlx].*|f(?!ilel|ramew|orce_).*|m(?!llvm|mlir|thread-m).*|M[DMPG]*|ansi|pedantic.*|pie|pipe|pthread|static.*|shared.*|std.*|no.*|rdynamic|print-.*|save-temps|d\w)$/,
  /** Listings, dumps and coverage; and options for other tools with which they write. */
  writingOption: new RegExp(
    [
      "^--(?:write-|compile|assem|dump)|^--?(?:save-|coverage|time=|analyze|emit-|precomp|for-|X)",
      "^-(?:cc1|mllvm|gsplit|d(?![DIMNUy]|ump\\w{5,}$))",
      "^-Wp(?=,)(?!(?:,-[DU]\\w+(?:=\\w*)?)+$)|^-Wa(?=,)(?!(?:,-(?:-(?!M)|[gm])[\\w.=+-]*)+$)",
      "^-f(?:dump|opt-info[\\w-]*=|optimization-|stack-u|callg|test-c|profile-(?:arcs|note)|time-trace|modules|module-|ada-|save-|crash|deps-)",
      "^-f(?:diagnostics-(?:add|set)-o|diagnostics-format=\\w+-file)",
    ].join("|"),
  ),
} satisfies Partial<FileProgram>;

/** Rules for make go to a file that -MF names, or to one beside the output. */
const RULES_BY = /^--?MM?D$/;
const RULES: DefaultFile = { by: RULES_BY, unless: ["-MF"] };
const NOT_COMPILED = words("-o --output -E -M -MM -fsyntax-only -###");

const LINKER_WRITES = words(
  "-o --output -map -Map --Map -dependency-file --dependency-file -out-implib --out-implib --output-def",
);
/** The file of a part of a program. */
const SECTION = /^[^=]+=([\s\S]+)$/;
const LINKER_PLAIN =
  /^-[EgiMNnqrSsxXtVvd]$|^-[mLlz].|^--?(?:no-.*|shared|pie|static|as-needed|build-id|eh-frame-hdr|gc-sections|export-dynamic|whole-archive|(?:start|end)-group|B\w+|O\d|relax|strip-\w+|version|help|verbose)$/;
const LINKER_READS = words("-T --script -R");
/** A script of commands may name what is written. */
const BY_COMMANDS: DefaultFile = { by: new RegExp(`^(?:--?mri|${LINKER_COMMANDS})`) };
const LINKER = {
  operands: "read",
  singleDash: true,
  joinable: words("-o -T -R -L -l"),
  plain: LINKER_PLAIN,
  longValues: [
    ...LINKER_WRITES,
    ...LINKER_READS,
    ...words("-L -l -b -m -e -z -soname -rpath --library --library-path"),
  ],
  files: { ...filesOf("write", LINKER_WRITES), ...filesOf("read", LINKER_READS) },
  readsValues: true,
  sought: [LIBRARIES],
  writingOption: new RegExp(
    `^-(?:M=|Ma(?![a-z])|(?:out|dep)(?!(?:put|put-def|-implib|endency-file)(?:=|$)))|^--?(?:${LINKER_DUMPS})`,
  ),
  // `-out-impli f` and `-object_path_lto f`, where those are not read as -o; in the name of a map, `%` is the output.
  writingValue: /^-o=(?:ut|bject_)|^--?map=.*%/i,
  held: [MORE_WORDS],
} satisfies Partial<FileProgram>;
/** A linker that a compiler starts, which says itself what is made. */
export const LINKED: FileProgram = {
  ...LINKER,
  names: [],
  why: "writes lists, and whatever else it is told",
  defaults: [BY_COMMANDS],
};

/** Compilers of C and its kin, linkers, and what changes the files that they make. */
export const MAKERS: readonly FileProgram[] = [
  {
    names: COMPILERS,
    why: "writes what -o names, or after its operands",
    operands: "read",
    ...DRIVER,
    shownWith: ["-E", "-S", "-M", "-MM"],
    defaults: [
      { by: RULES_BY, any: ["-c", "-S"], unless: ["-MF"], beside: ["-o", "--output"], ending: ".d" },
      // Not from one source to one file.
      { by: RULES_BY, unless: ["-MF", "-c", "-S"] },
      { operands: /^/, unless: [...NOT_COMPILED, "-c", "-S"], path: "a.out" },
      { with: ["-c"], unless: NOT_COMPILED, ending: ".o" },
      { with: ["-S"], unless: NOT_COMPILED, ending: ".s" },
      // A header is compiled to a file beside it.
      { operands: /\.(?:[hH][\w+]*|tcc)$/, unless: NOT_COMPILED },
      { by: /^(?:-x|--lang)/, unless: NOT_COMPILED },
      // A script of the linker may name what is written.
      { by: /^-T|^--script|^-Wl,(?:.*,)?-+(?:d?T|def(?!sym)|sc)/, unless: [...NOT_COMPILED, "-c", "-S"] },
    ],
  },
  {
    names: ["cpp"],
    why: "writes the second operand",
    operands: "rest",
    ...DRIVER,
    defaults: [RULES],
  },
  {
    names: LINKERS,
    why: "writes what -o names",
    ...LINKER,
    // A script of the linker may name what is written.
    defaults: [
      { operands: /^/, unless: ["-o", "--output", "--version", "--help"] },
      { by: /^(?!--?(?:v|V|verbose)$)/, unless: ["-o", "--output", "--version", "--help"] },
      BY_COMMANDS,
    ],
  },
  {
    names: ["as"],
    why: "writes what -o names, and a list where -a does",
    operands: "read",
    values: "oIQt",
    attached: "amgOv",
    plain: /^-(?:\w|-(?![dhlMo]).*)$/,
    longValues: ["--MD", "--defsym"],
    files: { "-o": "write", "--MD": "write" },
    held: [{ options: ["-a"], text: /=([\s\S]+)$/, operation: "write" }, MORE_WORDS],
    // `-MD FILE`, too, names rules for make.
    writesWith: ["-D"],
    defaults: [{ unless: ["-o", "--version", "--help"], path: "a.out" }, BY_MORE_WORDS],
  },
  {
    names: ["objcopy", "gobjcopy"],
    why: "writes the second operand, or the only one",
    operands: "rest",
    alone: true,
    values: "IOBFjRNKLGWb",
    attached: "i",
    longValues: words("--only-section --add-section --update-section --dump-section"),
    readsValues: true,
    held: [
      { options: ["", "--dump-section"], text: SECTION, operation: "write" },
      { options: ["", "--add-section", "--update-section"], text: SECTION, operation: "read" },
      MORE_WORDS,
    ],
    defaults: [BY_MORE_WORDS],
  },
  {
    names: ["ranlib", "elfedit"],
    why: "changes its operands",
    operands: "write",
    longValues: words(
      "--input-mach --input-type --input-osabi --input-abiversion --output-mach --output-type --output-osabi --output-abiversion",
    ),
    held: [MORE_WORDS],
    defaults: [BY_MORE_WORDS],
  },
  {
    names: ["strip", "gstrip"],
    why: "writes its operands, or what -o names",
    operands: "write",
    values: "IOFRNKo",
    longValues: ["--output-file"],
    files: { "-o": "write", "--output-file": "write" },
    onlyReads: ["-o", "--output-file"],
    readsValues: true,
    plain: /^-(?:\w|-(?:strip-[^s].*|pres.*|disc.*|only.*|keep-f.*|verbose|wildcard|help|info|version))$/,
    held: [MORE_WORDS],
    defaults: [BY_MORE_WORDS],
  },
];
