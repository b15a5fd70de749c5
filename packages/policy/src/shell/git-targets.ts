import { joinFolder } from "./join-folder.js";
import { type NamedFile, named as namedFile } from "./named-file.js";
import { readOptions } from "./options.js";
import { plainWord, type ReadWord } from "./read-word.js";
import type { ShellTarget } from "./shell-analysis.js";
import { GIT_GLOBAL } from "./starts/git-start.js";
import { GIT_READERS, READ_ONLY_GIT, WITHOUT_OUTPUT } from "./tables/read-only-git.js";

/** A file that git reads; `rooted` where its path may begin at the top of the tree rather than where git runs. */
interface GitRead extends Pick<ShellTarget, "word" | "path"> {
  readonly operation: "read";
  readonly rooted: boolean;
}

/** Options whose value is a file, joined or in the next word. */
const FILE_OPTIONS = /^(?:--(?:con|ignore-revs|file|exclude-f|sig|des|add-f)[a-z-]*|-[OSfLX])(?:=|(?=.)|$)/;
/** Options whose value is a text, in the next word. */
const TEXT_VALUES: readonly string[] = [
  "--grep",
  "--author",
  "--committer",
  "--since",
  "--until",
  "--after",
  "--before",
];
const GLOB = /[*?[]/;

/** Subcommands that compare, whose -G and -S take the text that they look for. */
const COMPARES: ReadonlySet<string> = new Set(["diff", "log", "show", "whatchanged"]);

/** Whether a word that is not known may be the --output of a subcommand that has one. */
export function mayWriteOutput(argv: readonly ReadWord[]): boolean {
  if (argv.every(({ value }) => value !== null)) return false;
  const { firstOperand } = readOptions(argv, GIT_GLOBAL);
  const subcommand = argv[firstOperand]?.value ?? null;
  if (subcommand === null) return false;
  const shows = subcommand === "stash" && /^(?:show|list)$/.test(argv[firstOperand + 1]?.value ?? "show");
  if (WITHOUT_OUTPUT.has(subcommand) && !shows) return false;
  const shape = { values: READ_ONLY_GIT.get(subcommand)?.values ?? "", longValues: TEXT_VALUES };
  return readOptions(argv.slice(firstOperand), shape).unsure;
}

/**
 * The files that a reading subcommand of git may show: every operand that could be a path, and what follows each `:` of it, as in
 * `HEAD:path` and `:(top)path`. Which operands are names of commits cannot be told, so those count as paths too. git reads
 * wildcards itself: which files they name is not known.
 */
export function gitReads(argv: readonly ReadWord[]): GitRead[] {
  const { words: all, folder } = gitPlace(argv);
  const subcommand = all[0]?.value ?? null;
  if (subcommand === null || !GIT_READERS.has(subcommand)) return [];
  const found: GitRead[] = [];
  const words = all.slice(1);
  const sought = subcommand === "grep" ? soughtText(words) : undefined;
  const isText = (before: string): boolean =>
    TEXT_VALUES.includes(before) || (/^-[GS]$/.test(before) && COMPARES.has(subcommand));
  let ended = false;
  let before = "";
  for (const word of words) {
    const text = word.value ?? word.loose;
    if (!ended && text === "--") ended = true;
    else if (ended || !text.startsWith("-")) {
      if (word !== sought && (ended || !isText(before))) found.push(...named(word, word.value, folder));
    } else if (FILE_OPTIONS.test(text)) {
      const value = text.replace(FILE_OPTIONS, "").replace(/^=/, "");
      if (value !== "") found.push(...named(word, word.value === null ? null : value, folder));
    }
    before = text;
  }
  const isOnly =
    sought === undefined ? !found.some(({ word }) => word !== found[0]?.word) : found.length === 0;
  if (subcommand === "grep" && isOnly) found.push(...named(plainWord("."), ".", folder));
  if (subcommand === "archive") found.push(...named(plainWord("."), ".", folder));
  return found;
}

/** git's subcommand with its words, and the folder where it runs, seen from its own; null: cannot be told. */
export function gitPlace(argv: readonly ReadWord[]): {
  readonly words: readonly ReadWord[];
  readonly folder: string | null;
} {
  const { options, firstOperand } = readOptions(argv, GIT_GLOBAL);
  let folder: string | null = "";
  for (const { name, value } of options) {
    if (name === "-C") folder = value === null ? null : joinFolder(folder, value);
    else if (name === "--git-dir" || name === "--work-tree") folder = null;
  }
  return { words: argv.slice(firstOperand), folder };
}

/** The operand of `git grep` that is the text it looks for; undefined: an option gives it, or may. */
function soughtText(words: readonly ReadWord[]): ReadWord | undefined {
  if (words.some(({ value }) => value === null || /^-[^-]*[ef]/.test(value))) return undefined;
  const first = words.find(({ value }) => value === "--" || value?.startsWith("-") === false);
  return first?.value === "--" ? undefined : first;
}

/** What `git rm` takes away, or only no longer keeps. */
export function gitRemovals(argv: readonly ReadWord[]): NamedFile[] {
  const { options, firstOperand } = readOptions(argv, GIT_GLOBAL);
  if (argv[firstOperand]?.value !== "rm") return [];
  const { operands } = readOptions(argv.slice(firstOperand), {});
  const isHere = options.every(({ name }) => name === "-P" || name === "--no-pager");
  return operands.map((word) =>
    isHere && !GLOB.test(word.loose) ? namedFile("remove", word) : { operation: "remove", word, path: null },
  );
}

function named(word: ReadWord, text: string | null, folder: string | null): GitRead[] {
  if (text === null) return [{ operation: "read", word, path: null, rooted: false }];
  return spellings(text).flatMap((path): GitRead[] => {
    if (GLOB.test(path)) return [{ operation: "read", word, path: null, rooted: false }];
    const here = folder === null ? null : joinFolder(folder, path);
    const found: GitRead[] = [{ operation: "read", word, path: here, rooted: false }];
    // `HEAD:path` begins at the top of the tree, unless it begins with a dot.
    if (path !== text && !path.startsWith(".")) found.push({ operation: "read", word, path, rooted: true });
    return found;
  });
}

/** The path itself, and what follows each `:` as git reads it: with a magic word, or from the top of the tree. */
function spellings(text: string): string[] {
  const found = [text];
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    const rest = text.slice(at + 1).replace(/^\([^)]*\)/, "");
    // What a pathspec leaves out is not read.
    if (at === 0 && /^[!^]/.test(rest)) return [];
    if (rest === "") continue;
    found.push(rest);
    if (at === 0 && rest.startsWith("/")) found.push(rest.slice(1));
  }
  return found;
}
