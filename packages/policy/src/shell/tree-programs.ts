import type { ReadWord } from "./read-word.js";
import { tableName } from "./starts/start.js";

/** Programs that read a folder with all that is in it, or refuse folders. */
const TREE_PROGRAMS: ReadonlySet<string> = new Set(
  (
    "grep egrep fgrep zgrep ggrep rg ag ack cp gcp mv gmv rsync scp diff colordiff sdiff " +
    "tar gtar bsdtar zip 7z"
  ).split(" "),
);
const TREE_SUBCOMMANDS: ReadonlySet<string> = new Set(["archive", "diff", "grep"]);

/** Whether a folder that a command reads is read with all that is in it. */
export function readsTrees(argv: readonly ReadWord[]): boolean {
  const name = tableName(argv[0]?.value ?? "");
  if (name === "git") return argv.some(({ value }) => value !== null && TREE_SUBCOMMANDS.has(value));
  return TREE_PROGRAMS.has(name);
}
