import { canonicalJson } from "./canonical-json.js";
import { canonicalJsonFromText } from "./canonical-json-text.js";
import type { JsonValue } from "./json.js";

/**
 * Whether `args`, which were parsed from `text`, still say what the text says. False for numbers that JavaScript writes
 * differently, such as `1.0` and integers beyond 2^53: whoever wrote them has digested another text than we would.
 */
export function keepsSpelling(text: string, args: JsonValue): boolean {
  const spelled = canonicalJson(args);
  return spelled === text || spelled === canonicalJsonFromText(text);
}
