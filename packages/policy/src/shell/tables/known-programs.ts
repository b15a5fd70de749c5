import { isFileProgram } from "../program-targets.js";
import { tableName } from "../starts/start.js";
import { hasStartReader } from "../starts/start-of.js";
import { EVALUATING_BY_NAME } from "./evaluating-programs.js";
import { READ_ONLY_PROGRAMS } from "./read-only-programs.js";
import { WRAPPER_BY_NAME } from "./wrappers.js";

/** Programs and builtins that never run any of their words, and stand in no other table. */
const NEVER_RUN: ReadonlySet<string> = new Set(
  (
    ": true false echo cd pushd popd dirs pwd exit return break continue shift umask ulimit times kill logout sleep " +
    "basename dirname tr seq yes date hostname uname id whoami groups who tty users env printenv expr factor " +
    "mktemp sync ps df free uptime type jobs"
  ).split(" "),
);

const STANDARD_FOLDER = /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/;

/** Whether a program stands in one of our tables, called by its name or from a standard folder. */
export function isKnownProgram(program: string): boolean {
  if (!isStandardProgram(program)) return false;
  const name = tableName(program);
  const evaluating = EVALUATING_BY_NAME.get(name);
  if (evaluating !== undefined) return evaluating.runsOperands !== true;
  return (
    NEVER_RUN.has(name) ||
    READ_ONLY_PROGRAMS.has(name) ||
    isFileProgram(name) ||
    hasStartReader(name) ||
    WRAPPER_BY_NAME.has(name)
  );
}

/** Whether a program's name means what our tables say: no file of the same name in some other folder. */
export function isStandardProgram(program: string): boolean {
  if (program !== program.toLowerCase()) return false;
  return !program.includes("/") || STANDARD_FOLDER.test(program);
}
