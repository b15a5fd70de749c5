import { readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";

const SHAPE = {
  values: "f",
  longValues: ["--file", "--blob", "--type", "--default", "--comment", "--value", "--url"],
};
/** With these, settings are shown or taken away. */
const LOOKS =
  /^(?:-l|--list|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool|--unset|--unset-all)$/;
const ELSEWHERE = /^(?:-f|--f(?:i(?:l(?:e)?)?)?|-e|--e(?:d(?:i(?:t)?)?)?|--rename-section)$/;

/** Settings that start no program and read no other file of settings. */
const HARMLESS = new RegExp(
  `^(?:${[
    "user\\.(?:name|email|useConfigOnly)",
    "(?:advice|color|column|gc|i18n|index|pack|status)\\.[\\w.-]+",
    "branch\\..+\\.(?:remote|merge|rebase|description)",
    "branch\\.(?:sort|autoSetupMerge|autoSetupRebase)",
    "pull\\.(?:rebase|ff)",
    "push\\.(?:default|autoSetupRemote|followTags)",
    "fetch\\.(?:prune|pruneTags|parallel|all)",
    "init\\.defaultBranch",
    "merge\\.(?:ff|conflictStyle|renames|renameLimit|log|stat)",
    "rebase\\.(?:autoStash|autoSquash|updateRefs|stat)",
    "rerere\\.(?:enabled|autoUpdate)",
    "diff\\.(?:algorithm|renames|renameLimit|colorMoved|mnemonicPrefix|noPrefix|context|submodule)",
    "core\\.(?:autocrlf|eol|safecrlf|fileMode|ignoreCase|quotePath|longPaths|symlinks|precomposeUnicode|abbrev|compression)",
    "core\\.(?:whitespace|untrackedCache|preloadIndex|commentChar|logAllRefUpdates)",
    "commit\\.(?:gpgSign|verbose|status)",
    "tag\\.(?:gpgSign|sort)",
    "log\\.(?:date|decorate|abbrevCommit|follow)",
    "http\\.(?:postBuffer|lowSpeedLimit|lowSpeedTime|version)",
    "safe\\.directory",
    "submodule\\.recurse",
  ].join("|")})$`,
  "i",
);

/**
 * Whether `git config` only shows settings, or makes one that is known to start no program. Many name one that git starts
 * later: a pager, an editor, a hook, an alias.
 */
export function isPlainConfig(words: readonly ReadWord[]): boolean {
  const { options, operands, unsure, spreads } = readOptions(words, SHAPE);
  if (options.some(({ name }) => LOOKS.test(name))) return !unsure;
  if (options.some(({ name }) => ELSEWHERE.test(name))) return false;
  const [first, ...rest] = operands;
  const verb = first?.value ?? null;
  if (verb === null) return operands.length === 0 && !unsure;
  if (verb === "list" || verb === "get" || verb === "unset") return !unsure;
  const [key, value] = verb === "set" ? rest : operands;
  if (value === undefined && !unsure) return verb !== "set" && verb.includes(".");
  return key !== undefined && key.value !== null && HARMLESS.test(key.value) && !spreads;
}
