import type { ArithmeticCommand, ArithmeticFor, For, ParsedScript, Select, TestCommand, Word } from "unbash";
import { arithmeticHazard, collectScripts } from "./arithmetic-hazard.js";
import type { Line, Place } from "./line.js";
import type { ReadWord } from "./read-word.js";
import { isDangerousVariable } from "./tables/dangerous-variables.js";
import { testHazard } from "./test-hazard.js";
import { readWord } from "./word-reading.js";

const NAME = /^[A-Za-z_]\w*$/;

/** The name that `for` or `select` assigns to, and the words it takes. */
export function walkLoopHeader(line: Line, node: For | Select, place: Place): void {
  const name = node.name.text;
  if (node.type === "Select" && place.posix) line.refuse("select, which not every shell knows");
  if (!NAME.test(name)) line.refuse("a loop over a name that cannot be read");
  if (isDangerousVariable(name)) line.refuse(`an assignment to ${name}`);
  walkHeader(line, readWords(line, node.wordlist ?? [], place), place);
}

export function walkTest(line: Line, node: TestCommand, place: Place): void {
  if (place.posix) line.refuse("[[, which not every shell knows");
  const words: ReadWord[] = [];
  line.refuse(testHazard(node.expression, place, words));
  walkHeader(line, words, place);
}

export function walkArithmetic(line: Line, node: ArithmeticCommand, place: Place): void {
  if (place.posix) line.refuse("((, which not every shell knows");
  const scripts: ParsedScript[] = [];
  line.refuse(arithmeticHazard(node.expression, scripts));
  walkScripts(line, scripts, place);
}

export function walkArithmeticLoopHeader(line: Line, node: ArithmeticFor, place: Place): void {
  line.refuse("an arithmetic loop");
  const scripts: ParsedScript[] = [];
  for (const part of [node.initialize, node.test, node.update]) {
    if (part !== undefined) collectScripts(part, scripts);
  }
  walkScripts(line, scripts, place);
}

/** The words of a loop or condition make a part only where they hold substitutions: one without words of its own. */
export function walkHeader(line: Line, words: readonly ReadWord[], place: Place): void {
  walkScripts(
    line,
    words.flatMap(({ scripts }) => scripts),
    place,
  );
}

function walkScripts(line: Line, scripts: readonly ParsedScript[], place: Place): void {
  if (scripts.length === 0) return;
  const holding = { file: null, input: null, scripts, hazard: null };
  line.command({ assignments: [], words: [], redirects: [holding] }, place);
}

export function readWords(line: Line, words: readonly Word[], place: Place): ReadWord[] {
  const read: ReadWord[] = [];
  for (const word of words) {
    if (!line.count()) break;
    const found = readWord(word, place);
    line.refuse(found.hazard);
    read.push(found);
  }
  return read;
}
