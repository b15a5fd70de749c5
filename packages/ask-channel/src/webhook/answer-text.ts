import { type AskAnswer, type PendingAsk, PermissionGateError, parseAskAnswer } from "@x/permission-core";
import { answerText } from "../read-answer.js";
import { shownSafely } from "../read-json.js";

/** An answer as it came over the wire, with the ask that it says it is about. */
export interface WireAnswer {
  readonly answer: AskAnswer;
  /** the ask that `id` names, and the one that the answer's own `ask_id` names */
  readonly id: string | undefined;
  readonly askId: string | undefined;
  readonly argsDigest: string | undefined;
  readonly token: string | undefined;
}

const ESCAPE = /\\./g;
/** Of JSON without its escapes. A pattern that reads these too would take more stack the longer the text is. */
const STRING = /"[^"]*"/g;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads the JSON text of an answer: the fields of an {@link AskAnswer}, and beside them `id`, `args_digest` and `token` where they
 * are given. Throws code `bad_json`, `bad_record` or, for what no text can carry on, `not_json`. A key that stands twice in an object
 * is refused, since readers differ in which of the two they take. So is a number beyond 2^53 in any spelling, since JavaScript
 * would round it; fractions are the nearest binary64, as in every reader of JSON.
 */
export function readAnswerText(bytes: Uint8Array): WireAnswer {
  const value = parseJson(bytes);
  const { ask_id: askId, ...answer } = parseAskAnswer(value);
  // Half a character, or input nested too deep: the waiting side would not get it as it was sent.
  answerText(answer);
  const named = typeof value === "object" && value !== null ? (value as { [key: string]: unknown }) : {};
  return {
    answer,
    id: textOf(named, "id"),
    askId,
    argsDigest: textOf(named, "args_digest"),
    token: textOf(named, "token"),
  };
}

/** Whether an answer that names an ask, or its digest, names another than `ask`. */
export function namesAnother(ask: Pick<PendingAsk, "id" | "args_digest">, given: WireAnswer): boolean {
  for (const id of [given.id, given.askId]) if (id !== undefined && id !== ask.id) return true;
  return given.argsDigest !== undefined && given.argsDigest !== ask.args_digest;
}

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new PermissionGateError("bad_json", "answer: is not JSON in UTF-8", { cause: shownSafely(cause) });
  }
  const bare = text.replace(ESCAPE, "").replace(STRING, "");
  // Outside strings, each key has one colon.
  if (bare.split(":").length - 1 !== countKeys(value)) {
    throw new PermissionGateError("bad_record", "answer: a key stands there twice");
  }
  for (const [number] of bare.matchAll(NUMBER)) {
    if (Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER) {
      throw new PermissionGateError(
        "bad_record",
        "answer: holds a number beyond 2^53, which would be rounded",
      );
    }
  }
  return value;
}

/** How many keys all objects in `value` have; its depth does not matter. */
function countKeys(value: unknown): number {
  let keys = 0;
  const left = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) keys += children.length;
    for (const child of children) left.push(child);
  }
  return keys;
}

function textOf(named: { [key: string]: unknown }, key: string): string | undefined {
  const value = Object.hasOwn(named, key) ? named[key] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new PermissionGateError("bad_record", `answer.${key}: is not of type string`);
}
