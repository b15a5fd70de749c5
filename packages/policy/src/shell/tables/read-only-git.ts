import type { ReadOnlyProgram } from "./read-only-programs.js";
import { words } from "./words.js";

/** A subcommand of git that only reads, in the forms that stand here. */
export interface ReadOnlyGit extends Omit<ReadOnlyProgram, "names" | "operand"> {
  /** operands would make or change something, unless one of these options is there */
  readonly listing?: readonly string[];
}

const DIFF_FLAGS =
  "--stat --shortstat --numstat --dirstat --summary --name-only --name-status --patch --no-patch --raw --unified --color --no-color " +
  "--word-diff --word-diff-regex --color-words --color-moved --minimal --patience --histogram --diff-algorithm --ignore-all-space --ignore-space-change " +
  "--ignore-space-at-eol --ignore-blank-lines --find-renames --find-copies --no-renames --diff-filter --relative --text --binary " +
  "--full-index --abbrev --no-abbrev --exit-code --quiet --cached --staged --merge-base --check --compact-summary --function-context " +
  "--inter-hunk-context --no-ext-diff --no-textconv --no-prefix --src-prefix --dst-prefix --submodule --ignore-submodules --pickaxe-regex " +
  "--pickaxe-all --reverse -- --cc --stat-width --stat-name-width --stat-count --patch-with-stat --find-object";

const LOG_FLAGS =
  "--oneline --graph --all --branches --tags --remotes --decorate --no-decorate --decorate-refs --max-count --skip --since --after --until --before " +
  "--author --committer --grep --all-match --invert-grep --regexp-ignore-case --fixed-strings --extended-regexp --perl-regexp --merges --no-merges --first-parent " +
  "--follow --format --pretty --abbrev-commit --no-abbrev-commit --date --date-order --topo-order --author-date-order --show-signature-none " +
  "--left-right --cherry-pick --cherry-mark --cherry --boundary --simplify-by-decoration --full-history --ancestry-path --no-walk --walk-reflogs " +
  "--source --use-mailmap --no-mailmap --min-parents --max-parents --not --glob --exclude --stdin --notes --no-notes --parents --children --relative-date --show-pulls --expand-tabs --no-expand-tabs";

const diff = DIFF_FLAGS.split(" ");
const log = [...diff, ...LOG_FLAGS.split(" ")];
const LISTS = ["--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
const LIST_FORMS = [
  "--sort",
  "--format",
  "--column",
  "--no-column",
  "--color",
  "--no-color",
  "--abbrev",
  "--no-abbrev",
  "--ignore-case",
];

/** Subcommands that show what is in files, name those of a folder, or give them names that rules may not know. */
export const GIT_READERS: ReadonlySet<string> = new Set(
  words(
    "annotate archive blame cat-file diff diff-files diff-index diff-tree format-patch grep log ls-files ls-tree mv pickaxe " +
      "rev-list shortlog show whatchanged",
  ),
);

/** Subcommands of git without an --output; all that show differences or walk through commits have one. */
export const WITHOUT_OUTPUT: ReadonlySet<string> = new Set(
  (
    "add am branch checkout clean clone commit config count-objects describe fetch for-each-ref gc grep hash-object help init " +
    "ls-files ls-remote ls-tree maintenance merge merge-base mv pull push rebase remote reset restore rev-parse rm " +
    "sparse-checkout stash status switch symbolic-ref tag update-index update-ref var version worktree"
  ).split(" "),
);

export const READ_ONLY_GIT: ReadonlyMap<string, ReadOnlyGit> = new Map<string, ReadOnlyGit>([
  ["status", { why: "tells what has changed", always: true }],
  ["ls-files", { why: "names files", always: true }],
  ["rev-parse", { why: "tells what a name stands for", always: true }],
  [
    "log",
    {
      why: "tells of commits; --output writes",
      flags: "pPuszqigEFaMCBDRwbLnmctr0123456789",
      values: "nSGULO",
      attached: "MC",
      longFlags: log,
    },
  ],
  [
    "show",
    {
      why: "shows objects; --output writes",
      flags: "pPuszqigEFaMCBDRwbnmctr0123456789",
      values: "nSGULO",
      attached: "MC",
      longFlags: log,
    },
  ],
  [
    "diff",
    {
      why: "shows changes; --output writes",
      flags: "puszqaMCBDRwbtr0123456789",
      values: "SGUO",
      attached: "MC",
      longFlags: diff,
    },
  ],
  [
    "blame",
    {
      why: "tells who wrote lines; --output writes",
      flags: "cwlstfneMCpb",
      values: "LS",
      attached: "MC",
      longFlags: [
        "--porcelain",
        "--line-porcelain",
        "--date",
        "--show-email",
        "--show-name",
        "--show-number",
        "--root",
        "--since",
        "--reverse",
        "--first-parent",
        "--ignore-rev",
        "--color-lines",
        "--color-by-age",
        "--abbrev",
      ],
    },
  ],
  [
    "shortlog",
    {
      why: "sums up commits; --output writes",
      flags: "nsecw",
      longFlags: [
        "--numbered",
        "--summary",
        "--email",
        "--group",
        "--committer",
        "--no-merges",
        "--merges",
        "--since",
        "--until",
        "--all",
        "--author",
        "--format",
      ],
    },
  ],
  [
    "describe",
    {
      why: "names a commit",
      longFlags: [
        "--all",
        "--tags",
        "--contains",
        "--abbrev",
        "--candidates",
        "--exact-match",
        "--long",
        "--match",
        "--exclude",
        "--always",
        "--first-parent",
        "--dirty",
        "--broken",
        "--debug",
      ],
    },
  ],
  [
    "branch",
    {
      why: "names branches; an operand makes one, and most options change one",
      flags: "arvqi",
      longFlags: ["--all", "--remotes", "--verbose", "--show-current", ...LISTS, ...LIST_FORMS],
      listing: LISTS,
    },
  ],
  [
    "tag",
    {
      why: "names tags; an operand makes one, and most options change one",
      flags: "lin",
      attached: "n",
      longFlags: [...LISTS, ...LIST_FORMS],
      listing: ["-l", ...LISTS],
    },
  ],
  [
    "remote",
    {
      why: "names remotes; its subcommands change them or reach out",
      flags: "v",
      longFlags: ["--verbose"],
      operands: 0,
    },
  ],
]);
