import {
  argsDigest,
  argsDigestFromText,
  canonicalJson,
  cloneJson,
  isPermissionGateError,
  type JsonValue,
  notJsonPath,
} from "@x/permission-core";
import type { ToolCall } from "../tool.js";

/** What the model gave, read once. */
export type GivenInput =
  | {
      kind: "input";
      /** nobody else's: what the caller does to its own afterwards changes nothing */
      input: JsonValue;
      /** 16 hex, of the model's text where there is one, else of the value */
      digest: string;
      /** 16 hex, of the value, where the text says more than a value can hold; else null */
      valueDigest: string | null;
    }
  /** no JSON value: refused before anything looks at it */
  | { kind: "not_json"; path: string | null }
  /** text that cannot be taken at its word: an error result, and no gate is consulted */
  | { kind: "invalid"; digest: string; error: string };

/** Reads the input of a call, from its text where the model's text is given. */
export function readInput(call: ToolCall): GivenInput {
  const { inputText, input } = call;
  return inputText === undefined ? readValue(input) : readText(inputText, input);
}

/** Copied first, so that each getter is read once and what is digested is what everybody sees. */
function readValue(input: unknown): GivenInput {
  try {
    const own = cloneJson(input);
    return { kind: "input", input: own, digest: argsDigest(own), valueDigest: null };
  } catch (error) {
    return { kind: "not_json", path: notJsonPath(error) };
  }
}

function readText(text: string, beside: unknown): GivenInput {
  let digest: string;
  let input: JsonValue;
  try {
    if (typeof text !== "string") throw new TypeError("a text is expected");
    digest = argsDigestFromText(text);
    input = JSON.parse(text) as JsonValue;
  } catch (error) {
    const detail = isPermissionGateError(error) ? error.message : "it is no JSON text";
    return { kind: "invalid", digest: "", error: `The arguments do not parse: ${detail}` };
  }
  const inexact = inexactInteger(text);
  if (inexact !== null) {
    return {
      kind: "invalid",
      digest,
      error: `The arguments hold the integer ${inexact}, which cannot be represented exactly; send it as a string.`,
    };
  }
  const valueDigest = argsDigest(input);
  if (beside !== undefined && !saysTheSame(beside, input)) {
    return {
      kind: "invalid",
      digest,
      error: "The arguments were given as a value and as text, and the two differ.",
    };
  }
  return { kind: "input", input, digest, valueDigest: valueDigest === digest ? null : valueDigest };
}

function saysTheSame(beside: unknown, input: JsonValue): boolean {
  try {
    return canonicalJson(beside) === canonicalJson(input);
  } catch {
    return false;
  }
}

/** Fewer digits are exact whatever they are: 2^53 has sixteen. */
const MANY_DIGITS = /\d{16}/;
/** What a scan of valid JSON text has to tell apart: an escape, the edge of a string, and a number, or what looks like one. */
const TOKENS = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/** The first integer in JSON text that a JavaScript number would round, or null. */
function inexactInteger(text: string): string | null {
  if (!MANY_DIGITS.test(text)) return null;
  let inString = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '"') inString = !inString;
    if (inString || !INTEGER.test(token)) continue;
    if (BigInt(token) !== BigInt(Number(token))) return token;
  }
  return null;
}
