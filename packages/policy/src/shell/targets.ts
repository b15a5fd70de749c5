import { programTargets } from "./program-targets.js";
import type { ReadWord } from "./read-word.js";
import type { ShellTarget } from "./shell-analysis.js";
import { readsTrees } from "./tree-programs.js";

/** A redirect to or from a file. */
export interface ReadRedirect {
  readonly operator: string;
  readonly word: ReadWord;
}

/** `/dev/null`, and names for what is already open. */
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/;
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
    if (path !== null && NO_FILE.test(path)) continue;
    const by = "redirect";
    if (operator === "<" || operator === "<>") targets.push({ operation: "read", word, path, folder, by });
    if (operator !== "<") targets.push({ operation: "write", word, path, folder, by });
  }
  const trees = readsTrees(argv);
  for (const { operation, word, path, rooted = false } of programTargets(argv)) {
    if (path !== null && NO_FILE.test(path)) continue;
    const whole = operation === "remove" || (operation === "read" && trees);
    const target = { operation, word, path, folder: rooted ? "" : folder, by: "program" } as const;
    targets.push(whole ? { ...target, whole } : target);
  }
  return targets.length === 0 ? NO_TARGETS : targets;
}

/** The path that a word names; null: cannot be told. `~` stands for the home folder only where the shell says so. */
export function wordPath(word: ReadWord): string | null {
  if (word.value !== null) return word.value.startsWith("~") ? `./${word.value}` : word.value;
  const isHome = word.expansions.length === 1 && word.expansions[0] === "tilde" && word.hazard === null;
  return isHome && /^~(?:\/|$)/.test(word.loose) ? word.loose : null;
}
