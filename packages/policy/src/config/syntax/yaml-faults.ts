import type { CST } from "yaml";

/** So many signs where they cannot stand leave no doubt, and the composer would gather an error for each. */
const MOST_FAULTS = 8;

const ENDINGS: ReadonlySet<string> = new Set([
  "space",
  "comment",
  "newline",
  "flow-map-end",
  "flow-seq-end",
  "doc-end",
]);

/**
 * The sign at which a token holds too many of a sort in one place: texts behind a text, or anchors and tags before one. null: it
 * does not. Whatever else is wrong with it is left to the composer. The token is not nested deep.
 */
export function endlessFault(token: CST.Token): CST.SourceToken | null {
  if ("end" in token && token.end !== undefined) {
    const fault = tooMany(token.end, ({ type }) => !ENDINGS.has(type));
    if (fault !== null) return fault;
  }
  if (token.type === "document") {
    const fault = tooMany(token.start, isProperty);
    if (fault !== null) return fault;
    return token.value === undefined ? null : endlessFault(token.value);
  }
  if (!("items" in token)) return null;
  for (const { start, key, sep, value } of token.items) {
    const fault =
      tooMany(start, isProperty) ??
      (key == null ? null : endlessFault(key)) ??
      tooMany(sep ?? [], isProperty) ??
      (value === undefined ? null : endlessFault(value));
    if (fault !== null) return fault;
  }
  return null;
}

function isProperty({ type }: CST.SourceToken): boolean {
  return type === "anchor" || type === "tag";
}

function tooMany(
  tokens: readonly CST.SourceToken[],
  isFault: (token: CST.SourceToken) => boolean,
): CST.SourceToken | null {
  let count = 0;
  for (const token of tokens) {
    if (isFault(token)) count += 1;
    if (count > MOST_FAULTS) return token;
  }
  return null;
}
