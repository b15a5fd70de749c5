import type { ShellPart } from "../shell/shell-analysis.js";

/** Programs that only read or tell, and start no other whatever their arguments say. */
const READERS: ReadonlySet<string> = new Set(
  (
    "ls cat tac nl head tail wc cut paste tr rev fold fmt expand unexpand grep egrep fgrep diff cmp comm join od hexdump " +
    "stat readlink realpath basename dirname du df cksum md5sum sha1sum sha256sum sha512sum b2sum echo pwd whoami id uname nproc"
  ).split(" "),
);

/**
 * Subcommands that start nothing but what the project or its user has set up (hooks, tests, an editor). None of them has
 * subcommands of its own.
 */
const SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "git",
    new Set("status diff log show blame shortlog describe rev-parse ls-files ls-tree add commit".split(" ")),
  ],
  ["npm", new Set(["test"])],
  ["cargo", new Set(["build", "check", "test"])],
]);

/**
 * A prefix pattern under which more commands of the same sort fall: program and subcommand (`git commit:*`), or the program
 * alone where it only reads (`wc:*`). null unless that is known to be no free hand.
 */
export function widerPattern({ argv, assignments, wrapping, opaque }: ShellPart): string | null {
  const [program, subcommand] = argv.map(({ source, value }) => (source === value ? value : null));
  if (opaque !== null || wrapping !== "none" || assignments.length > 0) return null;
  if (program === undefined || program === null) return null;
  if (READERS.has(program)) return `${program}:*`;
  if (subcommand === undefined || subcommand === null) return null;
  return SUBCOMMANDS.get(program)?.has(subcommand) === true ? `${program} ${subcommand}:*` : null;
}
