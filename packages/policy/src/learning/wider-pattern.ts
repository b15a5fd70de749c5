import type { ShellPart } from "../shell/shell-analysis.js";

/** Programs that run what their arguments say: a wildcard behind them allows everything. */
const RUNNERS: ReadonlySet<string> = new Set(
  (
    "sh bash dash zsh ksh fish csh tcsh pwsh powershell cmd busybox python python2 python3 pypy node deno bun tsx ts-node " +
    "perl ruby php lua luajit tclsh expect Rscript julia java scala groovy osascript awk gawk mawk nawk sed ed ex vi vim nvim emacs " +
    "env xargs find parallel sudo doas su ssh make gmake just task npx pnpx bunx uvx pipx watch eval exec source trap script"
  ).split(" "),
);

/** Subcommands that do the same (`docker run`, `npm exec`). */
const RUNNING_SUBCOMMANDS: ReadonlySet<string> = new Set(
  "run exec x dlx eval shell ssh start repl console rsh attach debug".split(" "),
);

/**
 * A prefix pattern under which more commands of the same sort fall: program and subcommand (`git commit:*`), or the program
 * alone where it only reads (`wc:*`). null where that would be a free hand, or cannot be told.
 */
export function widerPattern({ argv, assignments, wrapping, readOnly, opaque }: ShellPart): string | null {
  const [program, subcommand] = argv.map(({ source, value }) => (source === value ? value : null));
  if (opaque !== null || wrapping !== "none" || assignments.length > 0) return null;
  if (program === undefined || program === null || program.includes("/") || isRunner(program)) return null;
  if (readOnly && program !== "git") return `${program}:*`;
  if (subcommand === undefined || subcommand === null || !/^[a-z][a-z0-9-]*$/.test(subcommand)) return null;
  return RUNNING_SUBCOMMANDS.has(subcommand) ? null : `${program} ${subcommand}:*`;
}

/** Versions count as the program: `python3.12`. */
function isRunner(program: string): boolean {
  return RUNNERS.has(program) || RUNNERS.has(program.replace(/[\d.-]+$/, ""));
}
