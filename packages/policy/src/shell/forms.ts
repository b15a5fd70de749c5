import { readOptions } from "./options.js";
import type { ReadWord } from "./read-word.js";
import type { ShellAssignment } from "./shell-analysis.js";
import { GIT_GLOBAL } from "./starts/git-start.js";
import { scriptFile } from "./starts/script-file.js";

const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Every text under which a deny or ask rule may know a command. An ordinary one has a single form.
 *
 * `text` comes first; then quotes undone, assignments left out, the program by its name alone and in small letters, git without its global
 * options, the file that a shell or interpreter runs as a program of its own, a carriage return at the end left out, Unicode composed, and all of these together.
 */
export function partForms(
  text: string,
  assignments: readonly ShellAssignment[],
  argv: readonly ReadWord[],
): readonly string[] {
  const program = argv[0];
  const isPlain =
    assignments.length === 0 &&
    PLAIN.test(text) &&
    argv.every((word) => word.loose === word.source) &&
    (program === undefined ||
      (!/[/A-Z]/.test(program.source) && !hasGlobalOptions(argv) && scriptFile(argv) === null));
  if (isPlain) return [text];
  const forms = new Set([text]);
  const prefixes =
    assignments.length === 0 ? [""] : [`${assignments.map(({ source }) => source).join(" ")} `, ""];
  for (const words of [argv.map((word) => word.source), argv.map((word) => word.loose)]) {
    for (const command of program === undefined ? [""] : commandForms(words, argv)) {
      for (const prefix of prefixes) forms.add((prefix + command).trim());
    }
  }
  for (const form of [...forms]) forms.add(withoutReturns(form));
  for (const form of [...forms]) forms.add(form.normalize("NFC"));
  forms.delete("");
  return text === "" ? [""] : [...forms];
}

function withoutReturns(form: string): string {
  let end = form.length;
  while (form[end - 1] === "\r") end--;
  return form.slice(0, end);
}

function hasGlobalOptions(argv: readonly ReadWord[]): boolean {
  return argv[0]?.source === "git" && argv[1]?.source.startsWith("-") === true;
}

/** @param words the texts of `argv`, one for each */
function commandForms(words: readonly string[], argv: readonly ReadWord[]): string[] {
  const whole = joined(words);
  const program = words[0] ?? "";
  const name = program.slice(program.lastIndexOf("/") + 1);
  const forms = [whole];
  if (name !== program && name !== "") forms.push(joined([name, ...words.slice(1)]));
  const folded = name.toLowerCase();
  if (folded !== name) forms.push(joined([folded, ...words.slice(1)]));
  if (/^["'\\]*git["']*$/.test(folded)) {
    const { firstOperand } = readOptions(argv, GIT_GLOBAL);
    if (firstOperand > 1) forms.push(joined([folded, ...words.slice(firstOperand)]));
  }
  const file = scriptFile(argv);
  if (file !== null) forms.push(...commandForms(words.slice(file), argv.slice(file)));
  return forms;
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== "").join(" ");
}
