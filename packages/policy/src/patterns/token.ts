/** One code point, whichever. */
export const ANY = 0;
/** Any run of code points, an empty one too. */
export const RUN = 1;
/** One code point other than `/`. */
export const SEGMENT_ANY = 2;
/** Any run of code points other than `/`, an empty one too. */
export const SEGMENT_RUN = 3;
/** Any number of whole folders, none too, each with its `/`. It stands behind a literal that ends in `/`. */
export const FOLDERS = 4;

/** A piece of a pattern: literal text, never empty, or a wildcard. */
export type Token =
  | string
  | typeof ANY
  | typeof RUN
  | typeof SEGMENT_ANY
  | typeof SEGMENT_RUN
  | typeof FOLDERS;

/** The tokens of a text pattern: `*` is any run, `?` any one code point, and everything else is itself. */
export function textTokens(pattern: string): Token[] {
  const tokens: Token[] = [];
  let start = 0;
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern.charCodeAt(at);
    if (unit !== STAR && unit !== QUESTION_MARK) continue;
    if (at > start) tokens.push(pattern.slice(start, at));
    tokens.push(unit === STAR ? RUN : ANY);
    start = at + 1;
  }
  if (start < pattern.length) tokens.push(pattern.slice(start));
  return joinTokens(tokens);
}

/** The same tokens with neighbours made one: literals joined, runs of runs a single run. */
export function joinTokens(tokens: Iterable<Token>): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    if (token === "") continue;
    const last = joined.at(-1);
    const both = last === undefined ? null : asOne(last, token);
    if (both === null) joined.push(token);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

const STAR = 0x2a;
const QUESTION_MARK = 0x3f;

/** The one token that matches what `first` and then `second` do; null where there is none. */
function asOne(first: Token, second: Token): Token | null {
  if (typeof first === "string" || typeof second === "string")
    return typeof first === "string" && typeof second === "string" ? first + second : null;
  if (first === RUN && (second === RUN || second === SEGMENT_RUN)) return RUN;
  if (second === RUN && (first === SEGMENT_RUN || first === FOLDERS)) return RUN;
  // Folders, and a name or the beginning of one: whatever follows the `/`.
  if (first === FOLDERS && second === SEGMENT_RUN) return RUN;
  return first === second && (first === SEGMENT_RUN || first === FOLDERS) ? first : null;
}
