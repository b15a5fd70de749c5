import type { HereDoc, ParsedScript, Redirect, Redirection } from "unbash";
import { connects } from "./open-already.js";
import type { ReadWord } from "./read-word.js";
import type { ReadRedirect } from "./targets.js";
import { readBody, readWord, type WordScope } from "./word-reading.js";

/** A redirect as it is read. */
export interface Redirecting {
  /** the file it opens; null: none, or one that is already open */
  readonly file: ReadRedirect | null;
  /** the text it gives as input; null: none, or it cannot be told */
  readonly input: string | null;
  readonly scripts: readonly ParsedScript[];
  readonly hazard: string | null;
  /** gives what is open for something else another number: output may then go to what was opened for reading */
  readonly swaps?: boolean;
}

const NO_SCRIPTS: readonly ParsedScript[] = [];
const DESCRIPTOR = /^(?:\d+|-)$/;
const PLAIN_DELIMITER = /^(?:[\w.+-]+|'[\w .+-]+'|"[\w .+-]+"|\\\w+)$/;

export function readRedirection(node: Redirection, scope: WordScope): Redirecting {
  if (node.type === "HereDoc") return readHereDoc(node, scope);
  const word = node.target === undefined ? null : readWord(node.target, scope);
  if (word === null)
    return { file: null, input: null, scripts: NO_SCRIPTS, hazard: "a redirect without a target" };
  if (node.type === "HereString") {
    const hazard = scope.posix ? "a here-string, which not every shell knows" : word.hazard;
    return { file: null, input: word.loose, scripts: word.scripts, hazard };
  }
  const hazard = redirectHazard(node, word, scope);
  const isDescriptor = node.operator.endsWith("&") && DESCRIPTOR.test(word.source);
  const file = isDescriptor ? null : { operator: node.operator, word };
  const swaps = isDescriptor && /^(?:0|[3-9]|\d\d+)$/.test(word.source);
  return { file, input: null, scripts: word.scripts, hazard, swaps };
}

function redirectHazard(node: Redirect, word: ReadWord, scope: WordScope): string | null {
  const { operator, descriptor } = node;
  if (word.hazard !== null) return word.hazard;
  if (operator.endsWith("&") && !DESCRIPTOR.test(word.source))
    return "a redirect whose target is expanded twice";
  if (connects(word)) return "a redirect that opens a connection";
  if (descriptor?.type === "FileDescriptor" && isTurned(operator, descriptor.value))
    return "a descriptor for output that is read, or for input that is written";
  if (descriptor?.type === "FileDescriptorVariable") return "a redirect that assigns to a variable";
  if (!scope.posix) return null;
  if (operator.startsWith("&")) return "&>, which not every shell knows";
  return descriptor !== undefined && descriptor.end - descriptor.pos > 1
    ? "a descriptor that not every shell reads alike"
    : null;
}

/** Under such a number, `/dev/stdout` would empty a file that is only read. */
function isTurned(operator: string, descriptor: number): boolean {
  if (operator === "<") return descriptor === 1 || descriptor === 2;
  return descriptor === 0 && !operator.startsWith("<") && operator !== ">&";
}

function readHereDoc(node: HereDoc, scope: WordScope): Redirecting {
  const { delimiter, body, closing } = node;
  const quoted = delimiter?.quoted === true;
  const read = quoted ? null : readBody(body.text, body.parts, scope);
  let hazard = read?.hazard ?? null;
  if (closing === undefined) hazard ??= "a heredoc without an end";
  if (delimiter === undefined || !PLAIN_DELIMITER.test(delimiter.text)) hazard ??= "an odd heredoc delimiter";
  return { file: null, input: read?.loose ?? body.text, scripts: read?.scripts ?? NO_SCRIPTS, hazard };
}
