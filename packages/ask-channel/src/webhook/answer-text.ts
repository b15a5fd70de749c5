import { type AskAnswer, type PendingAsk, PermissionGateError, parseAskAnswer } from "@x/permission-core";

/** An answer as it came over the wire, with the ask that it says it is about. */
export interface WireAnswer {
  readonly answer: AskAnswer;
  readonly id: string | undefined;
  readonly argsDigest: string | undefined;
  readonly token: string | undefined;
}

const STRING = /"(?:[^"\\]|\\.)*"/g;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads the JSON text of an answer: the fields of an {@link AskAnswer}, and beside them `id`, `args_digest` and `token` where they
 * are given. Throws code `bad_json` or `bad_record` for anything else. A number that JavaScript would round is refused, so that
 * what was approved is what runs.
 */
export function readAnswerText(bytes: Uint8Array): WireAnswer {
  const value = parseJson(bytes);
  const answer = parseAskAnswer(value);
  delete answer.ask_id;
  const named = typeof value === "object" && value !== null ? (value as { [key: string]: unknown }) : {};
  return {
    answer,
    id: textOf(named, "id"),
    argsDigest: textOf(named, "args_digest"),
    token: textOf(named, "token"),
  };
}

/** Whether an answer that names an ask, or its digest, names another than `ask`. */
export function namesAnother(ask: Pick<PendingAsk, "id" | "args_digest">, given: WireAnswer): boolean {
  if (given.id !== undefined && given.id !== ask.id) return true;
  return given.argsDigest !== undefined && given.argsDigest !== ask.args_digest;
}

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new PermissionGateError("bad_json", "answer: is not JSON in UTF-8", { cause });
  }
  for (const [number] of text.replace(STRING, "").matchAll(NUMBER)) {
    if (/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))) {
      throw new PermissionGateError(
        "bad_record",
        "answer: holds an integer beyond 2^53, which would be rounded",
      );
    }
  }
  return value;
}

function textOf(named: { [key: string]: unknown }, key: string): string | undefined {
  const value = Object.hasOwn(named, key) ? named[key] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new PermissionGateError("bad_record", `answer.${key}: is not of type string`);
}
