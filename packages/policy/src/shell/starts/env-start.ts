import { mayBringAny, readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { isDangerousAssignment } from "../tables/dangerous-variables.js";
import { allKnown, type Start } from "./start.js";

const ASSIGNMENT = /^([^=]*)=/;
const NAME = /^[A-Za-z_]\w*$/;
const SHAPE = {
  values: "uCS",
  longValues: ["--unset", "--chdir", "--split-string"],
  leading: true,
};
const KNOWN: ReadonlySet<string> = new Set([
  "-i",
  "-0",
  "-v",
  "-u",
  "-C",
  "--ignore-environment",
  "--null",
  "--debug",
  "--unset",
  "--chdir",
]);

const UNKNOWN = "what env starts cannot be told";

/** `env`: options, assignments, then a program; -S holds words of its own. */
export function envStart(words: readonly ReadWord[]): Start | null {
  const { options, firstOperand } = readOptions(words, SHAPE);
  const strange = options.some((option) => !KNOWN.has(option.name));
  const split = options.find((option) => option.name === "-S" || option.name === "--split-string");
  const folder = options.filter((option) => option.name === "-C" || option.name === "--chdir").at(-1);
  let at = firstOperand;
  if (words[at]?.value === "-") at++;
  let opaque: string | null = strange ? UNKNOWN : null;
  let assigns = false;
  for (; at < words.length; at++) {
    const word = words[at] as ReadWord;
    const name = ASSIGNMENT.exec(word.value ?? word.loose)?.[1];
    if (name === undefined) break;
    assigns = true;
    // A word that is not known is an assignment only where its name is, and nothing comes along with it.
    if (word.value === null && (mayBringAny(word) || !NAME.test(name))) opaque ??= UNKNOWN;
    const value = word.value === null ? null : word.value.slice(name.length + 1);
    if (isDangerousAssignment(name, value)) opaque ??= `an assignment to ${name}`;
  }
  if (!allKnown(words.slice(1, firstOperand))) opaque ??= UNKNOWN;
  const rest = words.slice(at);
  const scripts = [];
  if (split !== undefined) {
    const text = [
      split.word?.loose ?? split.value ?? "",
      ...words.slice(firstOperand).map((word) => word.loose),
    ];
    scripts.push({ text: text.join(" "), posix: true });
  }
  if (rest.length === 0 && split === undefined) {
    return opaque === null ? null : { wrapping: "none", opaque, commands: [], scripts };
  }
  return {
    wrapping: assigns || split !== undefined ? "outer" : "transparent",
    opaque,
    commands: rest.length === 0 || split !== undefined ? [] : [rest],
    scripts,
    ...(folder === undefined ? undefined : { folder: folder.value }),
  };
}
