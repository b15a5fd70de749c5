import type { ReadWord } from "../read-word.js";
import { awkStart } from "./awk-start.js";
import { exportStart, namesStart, printfStart, setStart, testStart } from "./builtin-start.js";
import { envStart } from "./env-start.js";
import { evaluatingStart } from "./evaluating-start.js";
import { findStart } from "./find-start.js";
import { gitStart } from "./git-start.js";
import { goStart, makeStart } from "./make-start.js";
import { runnerStart } from "./runner-start.js";
import { sedStart } from "./sed-start.js";
import { shellStart } from "./shell-start.js";
import { sshStart } from "./ssh-start.js";
import type { Start } from "./start.js";
import { wrapperStart } from "./wrapper-start.js";

type Reader = (words: readonly ReadWord[], name: string) => Start | null;

/** Programs whose words have a reader of their own. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["env", envStart],
  ["genv", envStart],
  ["bash", (words) => shellStart("bash", words)],
  ["sh", (words) => shellStart("sh", words)],
  ["dash", (words) => shellStart("dash", words)],
  ["zsh", (words) => shellStart("zsh", words)],
  ["find", findStart],
  ["gfind", findStart],
  ["git", gitStart],
  ["ssh", sshStart],
  ["awk", awkStart],
  ["gawk", awkStart],
  ["mawk", awkStart],
  ["nawk", awkStart],
  ["sed", sedStart],
  ["gsed", sedStart],
  ["make", makeStart],
  ["gmake", makeStart],
  ["go", goStart],
  ["printf", printfStart],
  ["export", (words) => exportStart("export", words)],
  ["readonly", (words) => exportStart("readonly", words)],
  ["read", (words) => namesStart("read", words)],
  ["unset", (words) => namesStart("unset", words)],
  ["set", setStart],
  ["test", (words) => testStart("test", words)],
  ["[", (words) => testStart("[", words)],
]);

/** What a command starts, by the name of its program in the tables; null: nothing beside itself. */
export function startOf(name: string, words: readonly ReadWord[]): Start | null {
  const reader = READERS.get(name);
  if (reader !== undefined) return reader(words, name);
  const started = wrapperStart(name, words) ?? runnerStart(name, words);
  const evaluated = evaluatingStart(name, words);
  if (started === null || evaluated === null) return started ?? evaluated;
  return { ...started, opaque: started.opaque ?? evaluated.opaque };
}

export function hasStartReader(name: string): boolean {
  return READERS.has(name);
}
