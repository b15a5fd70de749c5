import type { ParsedScript } from "unbash";
import type { ShellWord, WordExpansion } from "./shell-analysis.js";

/** A word, with what the analysis itself needs to know of it. */
export interface ReadWord extends ShellWord {
  /** quotes and escapes undone as far as they can be, expansions as written */
  readonly loose: string;
  /** an expansion outside quotes, which may become no word at all, or several */
  readonly splits: boolean;
  /** the commands of its substitutions */
  readonly scripts: readonly ParsedScript[];
  /** why the tree cannot be trusted here; null: it can */
  readonly hazard: string | null;
}

const NO_EXPANSIONS: readonly WordExpansion[] = [];
const NO_SCRIPTS: readonly ParsedScript[] = [];

/** A word that is only what is written. */
export function plainWord(text: string): ReadWord {
  return {
    source: text,
    value: text,
    expansions: NO_EXPANSIONS,
    loose: text,
    splits: false,
    scripts: NO_SCRIPTS,
    hazard: null,
  };
}

/** A word that only running the line would tell, as an operand that a program reads from its input. */
export function unknownWord(source: string, loose: string = source): ReadWord {
  return {
    source,
    value: null,
    expansions: ["substitution"],
    loose,
    splits: true,
    scripts: NO_SCRIPTS,
    hazard: null,
  };
}
