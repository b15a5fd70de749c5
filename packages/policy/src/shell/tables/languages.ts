import { BY_MORE_WORDS, MORE_WORDS } from "./compilers.js";
import type { FileProgram } from "./file-programs.js";
import { bothDashes, filesOf, words } from "./words.js";

const GO_WRITES = bothDashes(
  "o coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir debug-trace debug-actiongraph debug-runtime-trace",
);
/** Options of go whose value is the next word. */
export const GO_VALUES = [
  ...GO_WRITES,
  ...bothDashes("run skip bench benchtime tags timeout count cpu parallel p C mod coverpkg"),
];
/** The word before one that is no option's value, or the value of one that is known. */
export const GO_KNOWN = /^[^-]|=|^--?(?:[axnv]|race|msan|asan|cover|work|trimpath|json)$/;
const JAVAC_WRITES = words("-d -s -h -Xstdout");
const TSC_WRITES = bothDashes(
  "outdir outfile out declarationdir tsbuildinfofile generatetrace generatecpuprofile pprofdir",
);

export const TSC: FileProgram = {
  names: ["tsc"],
  why: "writes what --outDir names",
  operands: "read",
  singleDash: true,
  exact: true,
  longValues: TSC_WRITES,
  files: filesOf("write", TSC_WRITES),
  held: [MORE_WORDS],
  defaults: [BY_MORE_WORDS],
};

/** Flags with which the compiler of go writes. */
const GO_FLAGS = "-+(?:\\w+profile|asmhdr|linkobj|o|json|bench)[= ]";
export const GO: FileProgram = {
  names: ["go"],
  why: "writes what -o names, and profiles",
  operands: "none",
  judged: true,
  singleDash: true,
  exact: true,
  longValues: GO_VALUES,
  files: filesOf("write", GO_WRITES),
  // What the compiler is told among its flags begins in folders of its own.
  writingOption: new RegExp(`^--?test\\.(?:\\w+profile|trace|outputdir|testlogfile)|[= ]${GO_FLAGS}`),
  defaults: [
    { operands: new RegExp(`[= ]${GO_FLAGS}`) },
    { with: ["test", "-c"], unless: bothDashes("o") },
    // Another folder than this: -o begins there.
    { by: /^--?C$/, any: bothDashes("o") },
  ],
};

/** Compilers of other languages than C and its kin. */
export const LANGUAGES: readonly FileProgram[] = [
  {
    names: ["rustc"],
    why: "writes what -o names, or after its operands",
    operands: "read",
    values: "oLlCWADFZ",
    longValues: words(
      "--out-dir --emit --edition --crate-type --crate-name --target --cfg --extern --explain --print --codegen",
    ),
    files: { "-o": "write", "--out-dir": "write" },
    writingValue: /^--emit=(?:.*,)?(?:asm|link|dep-info|llvm-\w+|metadata|mir|obj)=/,
    defaults: [{ operands: /^/, unless: ["-o", "--out-dir", "--print"], ending: "" }, BY_MORE_WORDS],
    held: [
      { options: ["--print"], text: /=([\s\S]+)$/, operation: "write" },
      { options: ["-C", "--codegen"], text: /^incremental=([\s\S]+)$/, operation: "write" },
      MORE_WORDS,
    ],
  },
  {
    names: ["javac"],
    why: "writes what -d names",
    operands: "read",
    singleDash: true,
    longValues: JAVAC_WRITES,
    files: filesOf("write", JAVAC_WRITES),
    held: [MORE_WORDS],
    defaults: [BY_MORE_WORDS],
  },
];
