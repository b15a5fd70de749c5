import type { FileProgram } from "./file-programs.js";
import { words } from "./words.js";

/** Subcommands of git that read or write files which their words name, beside those that show what is kept. */
export const GIT_FILES: readonly FileProgram[] = [
  {
    names: ["commit", "tag", "merge", "notes", "commit-tree"],
    why: "a message may come from a file",
    operands: "none",
    values: "FtmcC",
    attached: "uSX",
    longValues: ["--file", "--template", "--message", "--author"],
    files: {
      "-F": "read",
      "--file": "read",
      "-t": "read",
      "--template": "read",
      "--pathspec-from-file": "read",
    },
  },
  {
    names: words("add reset checkout restore rm stash"),
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
      "--branch --origin --depth --reference --separate-git-dir --jobs --filter --shallow-since",
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
    files: { "-f": "read", "--file": "read" },
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
];

export const GIT_FILES_BY_NAME: ReadonlyMap<string, FileProgram> = new Map(
  GIT_FILES.flatMap((program) => program.names.map((name): [string, FileProgram] => [name, program])),
);
