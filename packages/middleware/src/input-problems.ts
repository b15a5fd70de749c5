/** One thing that is wrong with an input. */
export interface InputProblem {
  /** member names and indexes from the root; empty: the input itself */
  path: readonly PropertyKey[];
  message: string;
}

/** More than this helps no model to mend a call, and the input's own text could fill pages. */
const MAX_LENGTH = 1_000;
const MAX_PROBLEMS = 10;
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;
const INDEX = /^\d+$/;

/**
 * Says what is wrong with an input, for the model to read: `field: what is wrong`, several joined by `; `. At most ten
 * are told and at most 1,000 characters; what was left out is counted or cut with `…`.
 */
export function describeProblems(problems: readonly InputProblem[]): string {
  const told = problems.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${fieldName(path)}: ${message}`);
  const left = problems.length - told.length;
  const text = cut(told.join("; "));
  return left === 0 ? text : `${text}; and ${left} more`;
}

/** `a.b[0]["odd name"]`; the input itself is `input`. */
export function fieldName(path: readonly PropertyKey[]): string {
  let name = "";
  for (const segment of path) {
    const key = String(segment);
    if (INDEX.test(key)) name += `[${key}]`;
    else if (!PLAIN_NAME.test(key)) name += `[${JSON.stringify(key)}]`;
    else name += name === "" ? key : `.${key}`;
  }
  if (name === "") return "input";
  return name.startsWith("[") ? `input${name}` : name;
}

function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  // Half a surrogate pair would not be well-formed text.
  const end = isHighSurrogate(text.charCodeAt(MAX_LENGTH - 2)) ? MAX_LENGTH - 2 : MAX_LENGTH - 1;
  return `${text.slice(0, end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
