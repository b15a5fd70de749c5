import { readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { opaqueStart, type Start } from "./start.js";

/** Options of a shell that change nothing about what its script means. */
const HARMLESS: ReadonlySet<string> = new Set([
  "-c",
  "-e",
  "-u",
  "-x",
  "-f",
  "-o",
  "--norc",
  "--noprofile",
  "--posix",
]);
const STANDARD_INPUT = /^\/(?:dev\/(?:stdin|fd\/)|proc\/)/;

/** `bash -c script`: the script is read here; a file of commands is a program as any other; its input is unseen. */
export function shellStart(name: string, words: readonly ReadWord[]): Start | null {
  const { options, firstOperand, unsure } = readOptions(words, { values: "oO", leading: true });
  if (unsure) return opaqueStart(`what ${name} runs cannot be told`);
  const script = words[firstOperand];
  const strange = options.find((option) => !HARMLESS.has(option.name));
  const login = strange?.name === "-l" || strange?.name === "--login";
  const only = options.every(
    (option) => HARMLESS.has(option.name) || option.name === "-l" || option.name === "--login",
  );
  if (!options.some((option) => option.name === "-c")) {
    if (options.some((option) => option.name === "--version" || option.name === "--help")) return null;
    if (script === undefined || !only) return opaqueStart(`${name} runs what it reads`);
    if (script.value === null) return opaqueStart(`what ${name} runs cannot be told`);
    return STANDARD_INPUT.test(script.value) || script.value === "-"
      ? opaqueStart(`${name} runs what it reads`)
      : null;
  }
  if (script === undefined) return opaqueStart(`what ${name} runs cannot be told`);
  const known = script.value !== null;
  return {
    wrapping: login || strange !== undefined ? "outer" : "transparent",
    opaque: !only || !known ? `what ${name} runs cannot be told` : null,
    commands: [],
    scripts: [{ text: script.loose, posix: name !== "bash" }],
  };
}
