import type { FileProgram } from "./file-programs.js";
import { filesOf, words } from "./words.js";

const WRITTEN = words(
  "--export-marks --export-pack-edges --index-output --config-file --expire-to --filter-to",
);
const READ = words("--import-marks --import-marks-if-exists");

/** Subcommands of git that read or write files which their words name, beside those that show what is kept. */
export const GIT_FILES: readonly FileProgram[] = [
  {
    names: words("commit tag merge notes commit-tree fmt-merge-msg"),
    why: "a message may come from a file",
    operands: "none",
    values: "FtmcC",
    attached: "uSX",
    longValues: words("--file --template --message --author --pathspec-from-file"),
    files: {
      "-F": "read",
      "--file": "read",
      "-t": "read",
      "--template": "read",
      "--pathspec-from-file": "read",
    },
  },
  {
    names: words("add stage reset checkout restore rm stash"),
    why: "paths may come from a file",
    operands: "none",
    longValues: ["--pathspec-from-file"],
    shortens: true,
    // Not among `files`: a word that is not known is most often a branch or a path.
    held: [
      { options: ["--pathspec-from-file"], text: /^([\s\S]+)$/, operation: "read" },
      { options: [""], text: /^--pathspec-f[^=]*=([\s\S]+)$/, operation: "read" },
    ],
  },
  {
    names: ["mv"],
    why: "writes the last operand, and its sources are gone",
    operands: "destination",
    moves: true,
  },
  {
    names: ["clone"],
    why: "writes the folder that its second operand names",
    operands: "write",
    skip: 1,
    values: "bojuc",
    longValues: words(
      "--branch --origin --depth --reference --separate-git-dir --jobs --filter --shallow-since --shallow-exclude " +
        "--reference-if-able --ref-format --bundle-uri --server-option --revision",
    ),
    shortens: true,
    files: { "--separate-git-dir": "write" },
  },
  {
    names: ["interpret-trailers"],
    why: "shows its operands, and writes them with --in-place",
    operands: "read",
    longValues: words("--trailer --where --if-exists --if-missing"),
    inPlace: ["--in-place"],
  },
  {
    names: ["config"],
    why: "-f names the file",
    operands: "none",
    values: "f",
    longValues: ["--file"],
    files: { "-f": "read", "--file": "read" },
    // A setting that is taken away; what sets one there is judged as a start.
    defaults: ["-f", "--file"].flatMap((file) => [
      { with: [file, "--unset-all"], beside: ["-f", "--file"] },
      { with: [file, "unset"], beside: ["-f", "--file"] },
    ]),
  },
  {
    names: ["hash-object"],
    why: "gives files a name that no rule knows",
    operands: "read",
    values: "t",
    longValues: ["--path"],
    files: { "--stdin-paths": "read" },
  },
  {
    names: ["merge-file"],
    why: "writes its first operand, or shows it with -p",
    operands: "first",
    values: "L",
    longValues: ["--marker-size", "--diff-algorithm"],
    shortens: true,
    onlyReads: ["-p", "--stdout"],
  },
  {
    names: ["bundle"],
    why: "writes the file that it makes",
    operands: "first",
    skip: 1,
    longValues: ["--version"],
    shortens: true,
  },
  {
    names: ["bundle verify", "bundle list-heads", "bundle unbundle"],
    why: "reads a file that was made so",
    operands: "read",
  },
  {
    names: ["init", "init-db"],
    why: "makes a store in the folder that its operand names",
    operands: "none",
    values: "b",
    longValues: words("--separate-git-dir --initial-branch --object-format --ref-format"),
    shortens: true,
    files: { "--separate-git-dir": "write" },
    // As without one, where it is this folder.
    held: [{ options: [""], text: /^(?!\.\/*$)([\s\S]+)$/, operation: "write" }],
  },
  {
    names: ["worktree add"],
    why: "writes the folder that its first operand names",
    operands: "first",
    // What comes after the folder names no file.
    leading: true,
    values: "bB",
    longValues: ["--reason"],
    shortens: true,
  },
  { names: ["worktree move"], why: "moves a folder", operands: "destination", moves: true },
  { names: ["worktree remove"], why: "takes folders away", operands: "remove" },
  { names: ["worktree repair"], why: "writes in folders", operands: "write" },
  {
    names: ["apply", "am"],
    why: "reads patches; what they change is in the work tree, without --unsafe-paths",
    operands: "read",
    values: "pC",
    attached: "S",
    longValues: words("--directory --exclude --include --whitespace --patch-format --build-fake-ancestor"),
    shortens: true,
    files: { "--build-fake-ancestor": "write" },
    writesWith: ["--unsafe-paths"],
  },
  {
    names: [
      ...words("fast-export fast-import read-tree gc repack"),
      "maintenance register",
      "maintenance unregister",
    ],
    why: "options name files",
    operands: "none",
    longValues: [...WRITTEN, ...READ],
    shortens: true,
    files: { ...filesOf("write", WRITTEN), ...filesOf("read", READ) },
    held: [
      {
        options: words("--rewrite-submodules-from --rewrite-submodules-to"),
        text: /:([\s\S]+)$/,
        operation: "read",
      },
    ],
    // What it reads may then name files.
    writingOption: /^--allow-u/,
  },
  {
    names: ["checkout-index"],
    why: "all names begin with the text of --prefix",
    operands: "none",
    longValues: ["--prefix"],
    shortens: true,
    files: { "--prefix": "write" },
    // No folder, but how the names begin.
    writingValue: /^--pr\w*=(?:.*[^/])?$/,
  },
  {
    names: words(
      "bisect--helper bugreport checkout--worker credential credential-cache credential-cache--daemon credential-store " +
        "cvsexportcommit cvsimport diagnose difftool--helper fsmonitor--daemon http-fetch index-pack mailinfo mailsplit " +
        "merge-one-file pack-objects remote-ftp remote-ftps remote-http remote-https submodule--helper unpack-file",
    ),
    why: "writes files by rules of its own",
    operands: "write",
    values: "o",
    files: { "-o": "write", "--output-directory": "write", "--file": "write" },
    writesUnnamed: true,
  },
];

export const GIT_FILES_BY_NAME: ReadonlyMap<string, FileProgram> = new Map(
  GIT_FILES.flatMap((program) => program.names.map((name): [string, FileProgram] => [name, program])),
);
