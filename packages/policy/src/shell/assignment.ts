import type { Assignment } from "unbash";
import { isInteger } from "./arithmetic-hazard.js";
import type { ReadWord } from "./read-word.js";
import { isDangerousAssignment } from "./tables/dangerous-variables.js";
import { readWord, type WordScope } from "./word-reading.js";

/** Variables that a shell reads as numbers: a number is all that is safe for them. */
const COUNTS: ReadonlySet<string> = new Set(["SECONDS", "RANDOM", "OPTIND"]);

/** An assignment, as a word whose value is `NAME=value`. */
export function readAssignment(assignment: Assignment, scope: WordScope): ReadWord {
  const { name, value, index, append, text } = assignment;
  const words = value.type === "ArrayValue" ? value.elements : [value];
  const read = words.map((word) => readWord(word, scope));
  const subscript = index === undefined ? [] : [readWord(index, scope)];
  const only = value.type === "ArrayValue" || index !== undefined ? undefined : read[0];
  let hazard = assignmentHazard(assignment, only?.value ?? null, scope);
  for (const word of [...read, ...subscript]) hazard ??= word.hazard;
  const operator = append === true ? "+=" : "=";
  const known = hazard === null && only !== undefined && only.value !== null;
  return {
    source: text,
    value: known ? `${name}${operator}${only.value}` : null,
    expansions: [...new Set(read.flatMap((word) => word.expansions))],
    loose: only === undefined ? text : `${name}${operator}${only.loose}`,
    splits: read.some((word) => word.splits),
    scripts: [...subscript, ...read].flatMap((word) => word.scripts),
    hazard,
  };
}

function assignmentHazard(assignment: Assignment, known: string | null, scope: WordScope): string | null {
  const { name, value, index, append } = assignment;
  const isCount = value.type !== "ArrayValue" && COUNTS.has(name) && isInteger(value.text);
  if (!isCount && isDangerousAssignment(name, append === true ? null : known))
    return `an assignment to ${name}`;
  if (index !== undefined && !isInteger(index.text)) return "an assignment to a subscript that is no number";
  if (scope.posix && (append === true || index !== undefined))
    return "an assignment that not every shell knows";
  if (value.type !== "ArrayValue") return null;
  if (scope.posix) return "an array, which not every shell knows";
  return value.elements.some((element) => element.text.startsWith("["))
    ? "an array element with a subscript"
    : null;
}
