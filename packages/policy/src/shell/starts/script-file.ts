import type { ReadWord } from "../read-word.js";
import { codeFile } from "./evaluating-start.js";
import { shellFile } from "./shell-start.js";
import { tableName } from "./start.js";

const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "dash", "zsh"]);

/**
 * Where the file stands that a shell or interpreter is given to run: a program under another name, and the words after it
 * are its arguments. null: none, or another program.
 */
export function scriptFile(argv: readonly ReadWord[]): number | null {
  const program = argv[0]?.value ?? null;
  if (program === null || argv.length < 2) return null;
  const name = tableName(program);
  return SHELLS.has(name) ? shellFile(argv) : codeFile(name, argv);
}
