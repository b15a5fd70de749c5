import { mayBringAny, readOptions } from "../options.js";
import { type ReadWord, unknownWord } from "../read-word.js";
import { isDangerousVariable } from "../tables/dangerous-variables.js";
import type { Wrapper } from "../tables/wrapper.js";
import { WRAPPER_BY_NAME } from "../tables/wrappers.js";
import { allKnown, joinedScript, opaqueStart, type Start, type StartedScript } from "./start.js";

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

/** What a program of the wrappers' table starts; null: no wrapper, or nothing is started. */
export function wrapperStart(name: string, words: readonly ReadWord[]): Start | null {
  const wrapper = WRAPPER_BY_NAME.get(name);
  return wrapper === undefined ? null : wrapperStartOf(wrapper, name, words);
}

/** What a wrapper starts; null: nothing. */
export function wrapperStartOf(wrapper: Wrapper, name: string, words: readonly ReadWord[]): Start | null {
  if (words.length === 1) return isOpaqueAlone(wrapper) ? opaqueStart(`${name}: ${wrapper.why}`) : null;
  const { options, firstOperand, unsure } = readOptions(words, wrapper);
  if (wrapper.stops !== undefined && options.some((option) => wrapper.stops?.includes(option.name)))
    return null;
  const scripts = wrapper.scripts === undefined ? [] : optionScripts(wrapper, words);
  const begin = firstOperand + (wrapper.operands ?? 0);
  const own = words.slice(1, begin);
  let at = begin;
  let opaque: string | null = null;
  for (; wrapper.assigns === true; at++) {
    const word = words[at];
    const assigned = word === undefined ? undefined : ASSIGNMENT.exec(word.loose)?.[1];
    if (word === undefined || assigned === undefined) break;
    if (mayBringAny(word)) opaque ??= `what ${name} starts cannot be told`;
    if (isDangerousVariable(assigned)) opaque ??= `an assignment to ${assigned}`;
  }
  const rest = words.slice(at);
  const strange = options.some((option) => !isListed(wrapper, option.name));
  opaque ??= reason(wrapper, name, strange || unsure || !allKnown(own), rest);
  const wrapping = wrapper.wrapping === "opaque" || at > begin ? "outer" : wrapper.wrapping;
  if (wrapper.joined === true) {
    if (!allKnown(rest)) opaque ??= `${name} runs text that is not known`;
    return { wrapping, opaque, commands: [], scripts: [...scripts, ...joinedScript(rest)] };
  }
  if (rest.length === 0 && options.some((option) => readsWith(wrapper, option.name))) {
    opaque ??= `${name} runs what it reads`;
  }
  const replacing = options.filter((option) => REPLACES.has(option.name));
  const marks = replacing.map(({ value }) => value);
  // An empty mark stands in every word.
  const isEmpty = replacing.some((option) => option.name !== "-i" && option.value === "");
  if (marks.length > 1 || isEmpty) opaque ??= `what ${name} starts cannot be told`;
  const adds = marks.length === 0 || options.some((option) => ADDS.has(option.name));
  const command = wrapper.appends === true ? appended(rest, marks, adds) : rest;
  return { wrapping, opaque, commands: command.length === 0 ? [] : [command], scripts };
}

/** `exec` alone only has redirects take effect; most others start a shell. */
function isOpaqueAlone(wrapper: Wrapper): boolean {
  return wrapper.wrapping === "opaque" && !wrapper.names.includes("exec");
}

function readsWith(wrapper: Wrapper, option: string): boolean {
  return wrapper.reads?.includes(option) === true;
}

const REPLACES: ReadonlySet<string> = new Set(["-I", "-i", "--replace"]);
/** Options that may undo those. */
const ADDS: ReadonlySet<string> = new Set(["-L", "-l", "-n", "--max-lines", "--max-args"]);

function reason(wrapper: Wrapper, name: string, unsure: boolean, rest: readonly ReadWord[]): string | null {
  if (wrapper.wrapping === "opaque") return `${name}: ${wrapper.why}`;
  if (unsure) return `what ${name} starts cannot be told`;
  return rest[0]?.value?.startsWith("-") === true ? `what ${name} starts cannot be told` : null;
}

function isListed(wrapper: Wrapper, option: string): boolean {
  if (option.startsWith("--")) {
    return wrapper.longFlags?.includes(option) === true || wrapper.longValues?.includes(option) === true;
  }
  const letter = option.slice(1);
  return [wrapper.flags, wrapper.values, wrapper.attached].some(
    (letters) => letters?.includes(letter) === true,
  );
}

/** Such options may come after operands too. */
function optionScripts(wrapper: Wrapper, words: readonly ReadWord[]): StartedScript[] {
  const scripts: StartedScript[] = [];
  const values = `${wrapper.values ?? ""}c`;
  for (const { name, value, word } of readOptions(words, { ...wrapper, values, leading: false }).options) {
    if (wrapper.scripts?.includes(name) !== true) continue;
    const text = word?.loose ?? value;
    if (text !== null) scripts.push({ text, posix: true });
  }
  return scripts;
}

/**
 * The words that `xargs` starts: what it reads comes wherever a mark stands in them, or at their end. Where options ask for both,
 * which of them counts is up to the system's `xargs`.
 */
function appended(
  words: readonly ReadWord[],
  marks: readonly (string | null)[],
  adds: boolean,
): readonly ReadWord[] {
  if (words.length === 0) return [];
  const sought = marks.map((mark) => (mark === null || mark === "" ? "{}" : mark));
  const command = words.map((word) =>
    word.value === null || sought.some((mark) => word.loose.includes(mark))
      ? unknownWord(word.source, word.loose)
      : word,
  );
  return adds ? [...command, unknownWord("")] : command;
}
