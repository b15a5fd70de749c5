import { readOptions } from "./options.js";
import type { Part } from "./part.js";
import type { ReadWord } from "./read-word.js";
import { withoutEnd } from "./slashes.js";
import { scriptFile } from "./starts/script-file.js";
import { tableName } from "./starts/start.js";
import { WRITERS } from "./tables/writers.js";
import { wordPath } from "./targets.js";

/** Writers that leave what a file holds as it is, or empty. */
const CONTENTLESS: ReadonlySet<string> = new Set(
  "rm grm rmdir unlink trash srm shred mkdir mkfifo mknod touch truncate fallocate chmod chown chgrp chattr setfacl".split(
    " ",
  ),
);
const CONTENT: ReadonlySet<string> = new Set([
  ...WRITERS.flatMap(({ names }) => names).filter((name) => !CONTENTLESS.has(name)),
  ..."dd uniq xxd find tree git less yq".split(" "),
]);

/** Files that a program runs, or takes its settings from, without being told. */
const UNTOLD: readonly { readonly programs: RegExp; readonly files: RegExp }[] = [
  { programs: /^g?make$/, files: /(?:^|\/)(?:GNU)?makefile$|\.mk$/i },
  {
    programs: /^(?:npm|npx|pnpm|pnpx|yarn|bunx?)$/,
    files: /(?:^|\/)(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js)$/i,
  },
  { programs: /^git$/, files: /(?:^|\/)(?:\.git\/.*|\.gitconfig)$/i },
  { programs: /^cargo$/, files: /(?:^|\/)(?:build\.rs|cargo\.toml|\.cargo\/.*)$/i },
];
const TAKES_CODE = /^(?:[gmn]?awk|g?sed|g?make)$/;
const CODE_OPTION = /^(?:-f|--f(?:ile?)?|--makefile)$/;

/**
 * Why a line cannot be trusted that writes a file and runs it: what the file holds is code that no rule has seen, as the text
 * of `python -c` is. Files are told apart by their names alone. null: it does not.
 */
export function writtenAndRun(parts: readonly Part[]): string | null {
  if (parts.length < 2 || !parts.some(mayRunFile)) return null;
  const written = new Set(parts.flatMap(writtenBy));
  if (written.size === 0) return null;
  const names = new Set([...written].map(nameOf));
  for (const part of parts) {
    const program = tableName(part.program ?? "");
    const told = filesRunBy(program, part).some((path) => names.has(nameOf(path)));
    const untold = UNTOLD.some(
      ({ programs, files }) => programs.test(program) && [...written].some((path) => files.test(path)),
    );
    if (told || untold) return "it runs a file that it writes";
  }
  return null;
}

function mayRunFile(part: Part): boolean {
  const { program } = part;
  if (program === null) return false;
  const name = tableName(program);
  return (
    program.includes("/") ||
    TAKES_CODE.test(name) ||
    UNTOLD.some(({ programs }) => programs.test(name)) ||
    scriptFile(part.argv) !== null
  );
}

function writtenBy(part: Part): string[] {
  const own = part.redirects.flatMap(({ operator, word }) =>
    operator === "<" ? [] : (wordPath(word) ?? []),
  );
  const found = own.filter((path) => !path.startsWith("/dev/"));
  if (part.program === null || !CONTENT.has(tableName(part.program))) return found;
  for (const { operation, by, path } of part.targets) {
    if (operation === "write" && by === "program" && path !== null) found.push(path);
  }
  return found;
}

function filesRunBy(program: string, part: Part): string[] {
  const files: ReadWord[] = [];
  const script = scriptFile(part.argv);
  if (script !== null) files.push(part.argv[script] as ReadWord);
  if (part.program?.includes("/")) files.push(part.argv[0] as ReadWord);
  const paths = files.flatMap((word) => wordPath(word) ?? []);
  if (!TAKES_CODE.test(program)) return paths;
  for (const { name, value } of readOptions(part.argv, {
    values: "fFvelCIjoW",
    longValues: ["--file", "--makefile"],
  }).options)
    if (CODE_OPTION.test(name) && value !== null) paths.push(value);
  return paths;
}

function nameOf(path: string): string {
  const whole = withoutEnd(path);
  return whole.slice(whole.lastIndexOf("/") + 1).toLowerCase();
}
