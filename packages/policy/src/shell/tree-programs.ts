import type { ReadWord } from "./read-word.js";
import { tableName } from "./starts/start.js";

/** Programs that read a folder with all that is in it, or refuse folders. */
const TREE_PROGRAMS: ReadonlySet<string> = new Set(
  (
    "grep egrep fgrep zgrep ggrep rg ag ack cp gcp mv gmv ln gln rsync scp diff colordiff sdiff " +
    "tar gtar bsdtar zip 7z"
  ).split(" "),
);
const TREE_SUBCOMMANDS: ReadonlySet<string> = new Set(["archive", "diff", "grep", "mv"]);
/** Programs that change a folder with all that is in it, given such an option; null: always. */
const TREE_CHANGERS: ReadonlyMap<string, RegExp | null> = new Map<string, RegExp | null>([
  ...["chmod", "chown", "chgrp", "chattr", "setfacl"].map(
    (name) => [name, /^(?:-[A-Za-z]*R|--rec)/] as const,
  ),
  ...["cp", "gcp"].map((name) => [name, /^(?:-[A-Za-z]*[rRa]|--rec|--arc)/] as const),
  ["rsync", null],
  ["scp", null],
  // What they make goes to the folder that is named.
  ["javac", null],
  ["tsc", null],
  ["rustc", /^--out/],
  ["git", /^(?:clone|worktree|checkout-index)$/],
]);

/** Whether a folder that a command reads is read with all that is in it. */
export function readsTrees(argv: readonly ReadWord[]): boolean {
  const name = tableName(argv[0]?.value ?? "");
  if (name === "git") return argv.some(({ value }) => value !== null && TREE_SUBCOMMANDS.has(value));
  // What it serves is the folder it is in.
  if (name === "openssl") return argv.some(({ value }) => value === "s_server");
  return TREE_PROGRAMS.has(name);
}

/** Whether a folder that a command writes to is changed with all that is in it. */
export function changesTrees(argv: readonly ReadWord[]): boolean {
  const option = TREE_CHANGERS.get(tableName(argv[0]?.value ?? ""));
  if (option === undefined) return false;
  return option === null || argv.some(({ value, loose }) => value === null || option.test(loose));
}
