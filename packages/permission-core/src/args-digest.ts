import { canonicalJson } from "./canonical-json.js";
import { canonicalJsonFromText } from "./canonical-json-text.js";
import { fnv1a64 } from "./fnv1a64.js";

/** 16 hex: the FNV-1a of a value's canonical text. Throws `not_json` as {@link canonicalJson} does. */
export function argsDigest(value: unknown): string {
  return fnv1a64(canonicalJson(value));
}

/**
 * 16 hex: the FNV-1a of the canonical text of raw JSON text, number spellings kept. Throws `bad_json` as
 * {@link canonicalJsonFromText} does.
 */
export function argsDigestFromText(jsonText: string): string {
  return fnv1a64(canonicalJsonFromText(jsonText));
}
