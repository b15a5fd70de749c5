import type { ShellPart } from "../shell/shell-analysis.js";

/** Programs that only read or tell. None has an option that starts a program, loads settings or writes a file. */
const READERS: ReadonlySet<string> = new Set(
  (
    "ls cat tac nl head tail wc cut paste tr rev fold fmt expand unexpand grep egrep fgrep cmp comm join od hexdump " +
    "stat readlink realpath basename dirname du df cksum md5sum sha1sum sha256sum sha512sum b2sum echo pwd whoami id uname nproc"
  ).split(" "),
);

/**
 * Subcommands of git of which the same is true. `diff`, `log`, `show`, `blame` and `shortlog` write what `--output` names;
 * `add` and `commit` have options that start an editor, a signer or hooks, or leave hooks out.
 */
const GIT_READERS: ReadonlySet<string> = new Set("status describe rev-parse ls-files ls-tree".split(" "));

/**
 * A prefix pattern under which more commands of the same sort fall, for those that do no more than read whatever follows:
 * the program alone (`wc:*`), or git and its subcommand (`git status:*`). null for every other: build tools and test runners
 * load settings, and may start any program, by an option.
 */
export function widerPattern({ argv, assignments, wrapping, opaque }: ShellPart): string | null {
  const [program, subcommand] = argv.map(({ source, value }) => (source === value ? value : null));
  if (opaque !== null || wrapping !== "none" || assignments.length > 0) return null;
  if (program === undefined || program === null) return null;
  if (READERS.has(program)) return `${program}:*`;
  if (program !== "git" || subcommand === undefined || subcommand === null) return null;
  return GIT_READERS.has(subcommand) ? `git ${subcommand}:*` : null;
}
