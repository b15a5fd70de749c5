import type { OptionShape } from "../options.js";

/** A program that only reads, in the forms that stand here. */
export interface ReadOnlyProgram extends OptionShape {
  readonly names: readonly string[];
  readonly why: string;
  /** it can write or run nothing, whatever its words are */
  readonly always?: boolean;
  /** letters of options without a value; any other may write */
  readonly flags?: string;
  /** long options that only read; those with a value may join it by `=` */
  readonly longFlags?: readonly string[];
  /** the most operands it takes before the next would be written */
  readonly operands?: number;
  /** what an operand has to match */
  readonly operand?: RegExp;
}

function words(text: string): readonly string[] {
  return text.split(" ");
}

const LIST: readonly ReadOnlyProgram[] = [
  {
    names: ["ls", "cat", "head", "tail", "wc", "stat", "cut"],
    why: "shows files, and has no option that writes",
    always: true,
  },
  { names: ["grep", "egrep", "fgrep"], why: "shows lines, and has no option that writes", always: true },
  { names: ["pwd", "echo", "true", "whoami", "which"], why: "only tells", always: true },
  {
    names: ["file"],
    why: "tells of files; -C writes, -z starts programs",
    flags: "bhiLkNnprs0",
    values: "Ffe",
    longFlags: [
      "--brief",
      "--mime",
      "--mime-type",
      "--mime-encoding",
      "--dereference",
      "--no-dereference",
      "--extension",
    ],
  },
  {
    names: ["date"],
    why: "tells the time; -s and an operand without + set it",
    flags: "uR",
    values: "dfr",
    attached: "I",
    longFlags: words("--utc --universal --rfc-email --rfc-3339 --iso-8601 --date --reference --file"),
    operand: /^\+/,
  },
  {
    names: ["tree"],
    why: "names files; -o writes, -R may",
    flags: "adfilxpshDFugqNQCncrtUvAJXS",
    values: "LPI",
    longFlags: words(
      "--dirsfirst --filesfirst --noreport --prune --gitignore --du --si --ignore-case " +
        "--matchdirs --inodes --device --metafirst",
    ),
  },
  {
    names: ["diff"],
    why: "compares files; -l starts a program",
    flags: "qrusiwbBEZNaycetTdn",
    values: "UCWxXIFSL",
    longFlags: words(
      "--brief --recursive --unified --context --ignore-case --ignore-all-space " +
        "--ignore-space-change --ignore-blank-lines --new-file --text --side-by-side --width " +
        "--color --exclude --report-identical-files --suppress-common-lines --minimal " +
        "--strip-trailing-cr --label --no-dereference",
    ),
  },
  {
    names: ["sort"],
    why: "shows lines in order; -o writes, --compress-program starts a program",
    flags: "bdfghiMnRrVCcmsuz",
    values: "ktST",
    longFlags: words(
      "--reverse --numeric-sort --general-numeric-sort --human-numeric-sort --version-sort " +
        "--unique --stable --ignore-case --ignore-leading-blanks --dictionary-order " +
        "--month-sort --random-sort --check --key --field-separator --zero-terminated " +
        "--parallel",
    ),
  },
  {
    names: ["uniq"],
    why: "shows lines once; a second operand is written",
    flags: "cdDuiz",
    values: "fsw",
    longFlags: words(
      "--count --repeated --all-repeated --unique --ignore-case --skip-fields --skip-chars " +
        "--check-chars --group",
    ),
    operands: 1,
  },
  {
    names: ["rg"],
    why: "shows lines; --pre and -z start programs",
    flags: "abcFHhIiLlNnoPpqSsUuVvwx0.",
    values: "ABCefgjMmrtTEd",
    longFlags: words(
      "--after-context --before-context --binary --block-buffered --byte-offset " +
        "--case-sensitive --color --colors --column --context --context-separator --count " +
        "--count-matches --crlf --encoding --engine --files --files-with-matches " +
        "--files-without-match --fixed-strings --follow --glob --glob-case-insensitive " +
        "--heading --hidden --iglob --ignore-case --ignore-file --include-zero --invert-match " +
        "--json --line-buffered --line-number --line-regexp --max-columns --max-count " +
        "--max-depth --max-filesize --mmap --multiline --multiline-dotall --no-column " +
        "--no-config --no-filename --no-heading --no-hidden --no-ignore --no-ignore-dot " +
        "--no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --null --null-data " +
        "--one-file-system --only-matching --passthru --path-separator --pcre2 --pretty " +
        "--quiet --regexp --replace --smart-case --sort --sortr --stats --text --threads " +
        "--trim --type --type-list --type-not --unrestricted --vimgrep --with-filename " +
        "--word-regexp --version",
    ),
    longValues: words(
      "--after-context --before-context --color --colors --context --encoding --engine " +
        "--glob --iglob --ignore-file --max-columns --max-count --max-depth --max-filesize " +
        "--regexp --replace --sort --sortr --threads --type --type-not --context-separator " +
        "--path-separator",
    ),
  },
  {
    names: ["env"],
    why: "shows the environment, where it has no words; with any it starts a program",
    operands: 0,
  },
];

export const READ_ONLY_PROGRAMS: ReadonlyMap<string, ReadOnlyProgram> = new Map(
  LIST.flatMap((program) => program.names.map((name): [string, ReadOnlyProgram] => [name, program])),
);
