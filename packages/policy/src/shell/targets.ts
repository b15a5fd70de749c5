import { openFile } from "./open-already.js";
import { programTargets } from "./program-targets.js";
import type { ReadWord } from "./read-word.js";
import type { ShellTarget } from "./shell-analysis.js";
import { changesTrees, readsTrees } from "./tree-programs.js";

/** A redirect to or from a file. */
export interface ReadRedirect {
  readonly operator: string;
  readonly word: ReadWord;
}

const NO_TARGETS: readonly ShellTarget[] = [];

/** The files that a command's redirects and words name. */
export function partTargets(
  argv: readonly ReadWord[],
  redirects: readonly ReadRedirect[],
  folder: string | null,
): readonly ShellTarget[] {
  const targets: ShellTarget[] = [];
  for (const { operator, word } of redirects) {
    const path = wordPath(word);
    const by = "redirect";
    const read = operator === "<" || operator === "<>" ? toldPath("read", path, folder) : undefined;
    if (read !== undefined) targets.push({ operation: "read", word, path: read, folder, by });
    const written = operator === "<" ? undefined : toldPath("write", path, folder);
    if (written !== undefined) targets.push({ operation: "write", word, path: written, folder, by });
  }
  const reads = readsTrees(argv);
  const changes = changesTrees(argv);
  for (const { operation, word, path, rooted = false } of programTargets(argv)) {
    const at = rooted ? "" : folder;
    const told = toldPath(operation, path, at);
    if (told === undefined) continue;
    const target = { operation, word, path: told, folder: at, by: "program" } as const;
    const whole = operation === "remove" || (operation === "read" ? reads : changes);
    targets.push(whole ? { ...target, whole } : target);
  }
  return targets.length === 0 ? NO_TARGETS : targets;
}

/** The path of a target; null: which file it is cannot be told; undefined: none that matters. */
function toldPath(
  operation: ShellTarget["operation"],
  path: string | null,
  folder: string | null,
): string | null | undefined {
  const open = path === null ? null : openFile(path, folder);
  if (open === null || operation === "remove") return path;
  if (open === "nothing") return undefined;
  return open === (operation === "read" ? "input" : "output") ? undefined : null;
}

/** Whether a command writes to what is open for output, by its name under `/dev`. */
export function reopensOutput(argv: readonly ReadWord[], redirects: readonly ReadRedirect[]): boolean {
  const written = redirects.flatMap(({ operator, word }) => (operator === "<" ? [] : [wordPath(word)]));
  for (const { operation, path } of programTargets(argv)) if (operation === "write") written.push(path);
  return written.some((path) => path !== null && openFile(path, "") === "output");
}

/** The path that a word names; null: cannot be told. `~` stands for the home folder only where the shell says so. */
export function wordPath(word: ReadWord): string | null {
  if (word.value !== null) return word.value.startsWith("~") ? `./${word.value}` : word.value;
  const isHome = word.expansions.length === 1 && word.expansions[0] === "tilde" && word.hazard === null;
  return isHome && /^~(?:\/|$)/.test(word.loose) ? word.loose : null;
}
