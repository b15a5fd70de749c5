import { CanonicalHasher } from "./canonical-hasher.js";
import { canonicalJsonFromText } from "./canonical-json-text.js";
import { createFnv } from "./fnv.js";
import { fnv1a64 } from "./fnv1a64.js";

/** Kept between calls; null while in use, so that a getter which digests gets another. */
let idle: CanonicalHasher | null = null;

/** 16 hex: the FNV-1a of a value's canonical text. Throws `not_json` as `canonicalJson` does. */
export function argsDigest(value: unknown): string {
  const hasher = idle ?? new CanonicalHasher(createFnv());
  idle = null;
  try {
    return hasher.digest(value);
  } finally {
    idle = hasher;
  }
}

/**
 * 16 hex: the FNV-1a of the canonical text of raw JSON text, number spellings kept. Throws `bad_json` as
 * {@link canonicalJsonFromText} does.
 */
export function argsDigestFromText(jsonText: string): string {
  return fnv1a64(canonicalJsonFromText(jsonText));
}
