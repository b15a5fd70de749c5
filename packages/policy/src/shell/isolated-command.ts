import { readOptions } from "./options.js";
import type { ReadWord } from "./read-word.js";
import { GIT_GLOBAL } from "./starts/git-start.js";
import { tableName } from "./starts/start.js";
import { REMOTE_PROGRAMS } from "./tables/remote-programs.js";

/** Subcommands of git that reach another repository, or settings that outlive the workspace. */
const GIT_REMOTE: ReadonlySet<string> = new Set([
  "push",
  "fetch",
  "pull",
  "clone",
  "remote",
  "config",
  "worktree",
  "submodule",
  "ls-remote",
  "archive",
  "send-email",
  "credential",
  "maintenance",
  "init",
  "subtree",
  "lfs",
  "svn",
  "p4",
  "request-pull",
  "bundle",
]);

const GO_HOOKS = /^--?(?:exec|toolexec|overlay|o|modfile|vettool|ldflags|C)(?:=|$)/;
const GO_REMOTE: ReadonlySet<string> = new Set([
  "get",
  "install",
  "mod",
  "env",
  "telemetry",
  "run",
  "generate",
  "work",
]);

/** Whether a command stays in an isolated workspace: no remote, no other repository, no build hook. */
export function isIsolatedCommand(argv: readonly ReadWord[]): boolean {
  const program = argv[0];
  if (program === undefined) return true;
  if (program.value === null || program.value.includes("/")) return false;
  const name = tableName(program.value);
  if (name === "git") return isIsolatedGit(argv);
  if (name === "go") {
    return (
      argv.every((word) => !GO_HOOKS.test(word.loose)) &&
      argv[1]?.value !== null &&
      !GO_REMOTE.has(argv[1]?.value ?? "get")
    );
  }
  return !REMOTE_PROGRAMS.has(name);
}

function isIsolatedGit(argv: readonly ReadWord[]): boolean {
  const { options, firstOperand, unsure } = readOptions(argv, GIT_GLOBAL);
  if (unsure || options.some((option) => option.name !== "--no-pager" && option.name !== "-P")) return false;
  const subcommand = argv[firstOperand]?.value ?? null;
  return subcommand !== null && !GIT_REMOTE.has(subcommand);
}
