import { readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { RUNNERS_BY_NAME, type Runner } from "../tables/runners.js";
import { opaqueStart, type Start } from "./start.js";
import { wrapperStartOf } from "./wrapper-start.js";

/** What a subcommand such as `exec` of a program of the runners' table starts; null: no such subcommand, or nothing. */
export function runnerStart(name: string, words: readonly ReadWord[]): Start | null {
  for (const runner of RUNNERS_BY_NAME.get(name) ?? []) {
    const at = subcommandEnd(runner, words);
    if (at === null) continue;
    if (at === "unknown") return opaqueStart(`${name}: what it does cannot be told`);
    const rest = words.slice(at);
    const dashes = runner.dashed === true ? rest.findIndex((word) => word.value === "--") : -1;
    const own = { ...runner, leading: true, operands: dashes < 0 ? (runner.operands ?? 0) : 0 };
    const start = wrapperStartOf(own, name, [words[0] as ReadWord, ...rest.slice(dashes + 1)]);
    if (start !== null) return runner.elsewhere === true ? { ...start, folder: null } : start;
  }
  return null;
}

/**
 * The index after the words of the subcommand, between which options may stand; null: another subcommand; `unknown`: a word that
 * is not known may be this one.
 */
function subcommandEnd({ after, before }: Runner, words: readonly ReadWord[]): number | "unknown" | null {
  let end = 0;
  for (const part of after) {
    const { firstOperand, options, unsure } = readOptions(words.slice(end), { ...before, leading: true });
    const found = end + firstOperand;
    if (unsure || words[found]?.value === null) return "unknown";
    if (words[found]?.value === part) {
      end = found;
      continue;
    }
    // An option may have taken a value that our table does not know.
    const later = words.findIndex((word, at) => at > found && word.value === part);
    if (options.length === 0 || later < 0) return null;
    end = later;
  }
  return end + 1;
}
