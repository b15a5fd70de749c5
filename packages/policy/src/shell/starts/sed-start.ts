import { readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { isPlainSedScript } from "./sed-script.js";
import { isOpenAlready, opaqueStart, type Start } from "./start.js";

const SED_SHAPE = {
  values: "efl",
  attached: "i",
  longValues: ["--expression", "--file", "--line-length"],
};

const HARMLESS =
  /^-(?:[neErszuilfb]|-expression|-file|-line-length|-quiet|-silent|-regexp-extended|-in-place|-separate|-null-data|-unbuffered|-posix|-debug|-sandbox|-follow-symlinks|-version|-help)$/;

/** `sed`: its script may run programs (`e`) and read or write files (`r`, `w`). */
export function sedStart(words: readonly ReadWord[]): Start | null {
  const { options, operands, unsure } = readOptions(words, SED_SHAPE);
  if (unsure) return opaqueStart("sed: what it runs cannot be told");
  const scripts: (string | null)[] = [];
  let fromFile = false;
  for (const { name, value } of options) {
    if (!HARMLESS.test(name)) return opaqueStart("sed: an option that is not known");
    if (name === "-e" || name === "--expression") scripts.push(value);
    if (name !== "-f" && name !== "--file") continue;
    fromFile = true;
    if (value === null || isOpenAlready(value)) return opaqueStart("sed runs what it reads");
  }
  if (!fromFile && scripts.length === 0) scripts.push(operands[0]?.value ?? null);
  return scripts.every((script) => script !== null && isPlainSedScript(script))
    ? null
    : opaqueStart("sed: its script may run a program or write a file");
}
