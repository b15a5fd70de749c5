import { joinFolder } from "./join-folder.js";
import { readOptions } from "./options.js";
import type { ReadWord } from "./read-word.js";
import { wordPath } from "./targets.js";

const MOVES: ReadonlySet<string> = new Set(["cd", "chdir", "pushd", "popd"]);

export function movesFolder(name: string): boolean {
  return MOVES.has(name);
}

/** Where a `cd` leads from `folder`; null: cannot be told. */
export function folderAfter(argv: readonly ReadWord[], folder: string | null): string | null {
  if (argv[0]?.value !== "cd") return null;
  const { options, operands } = readOptions(argv, {});
  if (options.some(({ name }) => name !== "-L" && name !== "-e") || operands.length > 1) return null;
  const target = operands[0];
  if (target === undefined) return "~";
  const path = wordPath(target);
  if (path === null || path === "" || path === "-") return null;
  return joinFolder(folder, path);
}
