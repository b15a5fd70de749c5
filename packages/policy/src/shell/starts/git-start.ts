import { mayBeOption, readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { isShortFor } from "../short-option.js";
import { GIT_READERS, WITHOUT_OUTPUT } from "../tables/read-only-git.js";
import { words } from "../tables/words.js";
import { isPlainConfig } from "./git-config.js";
import { opaqueStart, type Start } from "./start.js";

/** The options before git's subcommand that take a value in the next word. */
export const GIT_GLOBAL = {
  values: "Cc",
  longValues: ["--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source"],
  leading: true,
};

const RUNS_GLOBALLY: ReadonlySet<string> = new Set(["-c", "--config-env", "--exec-path"]);

/** Subcommands that run other programs by nature, and why nothing about them is trusted. */
const RUNS: ReadonlySet<string> = new Set(
  words(
    "bisect citool cvsserver daemon difftool filter-branch for-each-repo gui hook http-backend instaweb merge-index " +
      "mergetool p4 receive-pack remote-ext remote-fd send-email shell submodule svn upload-pack web--browse",
  ),
);

/** Subcommands of git itself. Any other may be a program named `git-…`, which may run its words. */
const OWN: ReadonlySet<string> = new Set([
  ...WITHOUT_OUTPUT,
  ...GIT_READERS,
  ...words(
    "apply bundle check-attr check-ignore check-ref-format cherry cherry-pick column commit-graph commit-tree fsck " +
      "merge-file merge-tree name-rev notes pack-refs patch-id prune range-diff read-tree reflog repack replace rerere " +
      "revert show-branch show-ref stripspace verify-commit verify-tag write-tree",
  ),
]);

/** Whether git itself knows what it is told to do. */
export function isOwnSubcommand(argv: readonly ReadWord[]): boolean {
  const subcommand = argv[readOptions(argv, GIT_GLOBAL).firstOperand];
  return subcommand === undefined || OWN.has(subcommand.value ?? "");
}

/** Options of a subcommand that run a program. Long ones count when cut short. */
const RUNS_WITH: { readonly [subcommand: string]: readonly string[] } = {
  archive: ["--exec", "--remote"],
  clone: ["-u", "--upload-pack", "-c", "--config", "--template"],
  fetch: ["--upload-pack"],
  "fetch-pack": ["--upload-pack", "--exec"],
  grep: ["-O", "--open-files-in-pager"],
  init: ["--template"],
  "ls-remote": ["--upload-pack", "--exec"],
  pull: ["--upload-pack", "-x", "--exec"],
  push: ["--receive-pack", "--exec"],
  rebase: ["-x", "--exec", "-i", "--interactive"],
  "send-pack": ["--receive-pack", "--exec"],
};

/**
 * Subcommands that merge, and the letters of their options with a value: a strategy that is not git's own is a program named
 * after it. cherry-pick and revert sign off with -s.
 */
const MERGES: ReadonlyMap<string, string> = new Map([
  ["merge", "FmsX"],
  ["pull", "sX"],
  ["rebase", "sXCx"],
  ["cherry-pick", "mX"],
  ["revert", "mX"],
]);
const STRATEGY = /^(?:ort|recursive|resolve|octopus|ours|subtree)$/;

/** `ext::program` is an address that git reaches by running the program, where settings let it. */
const RUNS_TRANSPORT = /^(?:--[a-z-]+=)?ext::/;

/** `git -c` and its kin set what git starts. */
export function gitStart(words: readonly ReadWord[]): Start | null {
  const { options, firstOperand, unsure } = readOptions(words, GIT_GLOBAL);
  if (options.some((option) => RUNS_GLOBALLY.has(option.name)))
    return opaqueStart("git: an option sets what it starts");
  const subcommand = words[firstOperand];
  if (subcommand === undefined) return unsure ? opaqueStart("git: what it does cannot be told") : null;
  if (unsure || subcommand.value === null) return opaqueStart("git: what it does cannot be told");
  if (RUNS.has(subcommand.value)) return opaqueStart(`git ${subcommand.value} runs other programs`);
  if (subcommand.value === "config" && !isPlainConfig(words.slice(firstOperand))) {
    return opaqueStart("git config: a setting may name what git starts");
  }
  if (words.slice(firstOperand + 1).some(({ loose }) => RUNS_TRANSPORT.test(loose))) {
    return opaqueStart(`git ${subcommand.value}: an address names a program`);
  }
  if (mayRunStrategy(words.slice(firstOperand)))
    return opaqueStart(`git ${subcommand.value}: an option may run a program`);
  const dangerous = Object.hasOwn(RUNS_WITH, subcommand.value) ? RUNS_WITH[subcommand.value] : undefined;
  if (dangerous === undefined) return null;
  for (const word of words.slice(firstOperand + 1)) {
    if (word.value === "--") break;
    if (word.value === null && (mayBeOption(word) || isDangerous(word.loose, dangerous))) {
      return opaqueStart(
        `git ${subcommand.value}: a word that is not known could be an option that runs something`,
      );
    }
    if (word.value !== null && isDangerous(word.value, dangerous)) {
      return opaqueStart(`git ${subcommand.value}: an option runs a program`);
    }
  }
  return null;
}

function mayRunStrategy(words: readonly ReadWord[]): boolean {
  const values = MERGES.get(words[0]?.value ?? "");
  if (values === undefined) return false;
  const longValues = ["--strategy", "--message"];
  const { options, unsure } = readOptions(words, { values, attached: "S", longValues });
  const isNamed = (name: string): boolean =>
    (name === "-s" && values.includes("s")) || isShortFor(name, "--strategy");
  return unsure || options.some(({ name, value }) => isNamed(name) && !STRATEGY.test(value ?? ""));
}

function isDangerous(text: string, dangerous: readonly string[]): boolean {
  if (!text.startsWith("-") || text.length < 2) return false;
  const name = text.split("=", 1)[0] as string;
  if (name.startsWith("--")) return dangerous.some((option) => name.length > 2 && option.startsWith(name));
  return dangerous.some((option) => !option.startsWith("--") && name.includes(option.slice(1)));
}
