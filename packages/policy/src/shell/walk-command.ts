import type { Command, CommandNode, Pipeline, Redirection } from "unbash";
import { readAssignment } from "./assignment.js";
import type { Line, Place } from "./line.js";
import { plainWord, type ReadWord } from "./read-word.js";
import { readRedirection } from "./redirection.js";
import { afterHazard, betweenHazard } from "./unread-text.js";
import { readWord } from "./word-reading.js";

export function walkCommand(line: Line, node: Command, place: Place, before: readonly ReadWord[]): void {
  const assignments: ReadWord[] = [];
  const redirects = [];
  const words: ReadWord[] = before.length === 0 ? [] : [...before];
  for (const child of node.prefix) {
    if (!line.count()) return;
    if (child.type === "Assignment") assignments.push(readAssignment(child, place));
    else redirects.push(readRedirection(child, place));
  }
  if (node.name !== undefined) words.push(readWord(node.name, place));
  for (const child of node.suffix) {
    if (!line.count()) return;
    if (child.type === "Word") words.push(readWord(child, place));
    else if (child.type === "Assignment") words.push(readAssignment(child, place));
    else redirects.push(readRedirection(child, place));
  }
  line.refuse(skippedHazard(node, place.source));
  line.command({ assignments, words, redirects }, place);
}

/** What the parser passed over between the words of a command, or right after them. */
function skippedHazard(node: Command, source: string): string | null {
  let end = node.pos;
  const pass = (child: { readonly pos: number; readonly end: number }): string | null => {
    const hazard = betweenHazard(source, end, child.pos);
    end = child.end;
    return hazard;
  };
  let hazard: string | null = null;
  for (const child of node.prefix) hazard ??= pass(child);
  if (node.name !== undefined) hazard ??= pass(node.name);
  for (const child of node.suffix) hazard ??= pass(child);
  return hazard ?? afterHazard(source, end);
}

/** The redirects of a group or loop make a part without words. */
export function walkRedirects(line: Line, nodes: readonly Redirection[], place: Place): void {
  const redirects = nodes.map((node) => readRedirection(node, place));
  if (redirects.some(({ swaps }) => swaps === true)) line.swapsOutput = true;
  const matters = redirects.some(
    ({ file, input, scripts, hazard }) =>
      file !== null || input !== null || scripts.length > 0 || hazard !== null,
  );
  if (matters) line.command({ assignments: [], words: [], redirects }, place);
}

/** The words of `time` before a command: a keyword to bash, a program to dash. */
export function timed(
  node: Pipeline,
  command: CommandNode,
): { words: readonly ReadWord[]; command: Command } | null {
  const time = node.prefixes.find((prefix) => prefix.type === "Time");
  if (time === undefined || command.type !== "Command" || command.name === undefined) return null;
  const words = [plainWord("time")];
  if (time.posix !== undefined) words.push(plainWord("-p"));
  if (time.endOfOptions !== undefined) words.push(plainWord("--"));
  return { words, command };
}

export function walkTimed(line: Line, time: readonly ReadWord[], command: Command, place: Place): void {
  if (command.prefix.some((child) => child.type === "Assignment")) {
    if (place.posix) line.refuse("time before an assignment, which not every shell reads alike");
    walkCommand(line, command, place, []);
  } else walkCommand(line, command, place, time);
}
