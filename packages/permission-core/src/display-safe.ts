import { isCombining, isInvisible } from "./invisible.js";

const DEFAULT_MAX_LENGTH = 2000;
/** Room for the mark of a cut, and a little on both sides of it. */
const SMALLEST_MAX_LENGTH = 32;
/** As many marks as one letter has in the writing of any living language, nearly; more cover the lines around. */
const MOST_MARKS = 4;
const PLAIN = /^[ -[\]-~]*$/;
const NAMED_ESCAPES: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One shown code point or one whole escape. */
interface Piece {
  readonly text: string;
  /** in code points, as shown */
  readonly cost: number;
  /** where it ends in the source, in UTF-16 units */
  readonly end: number;
}

/**
 * The form in which untrusted text is shown to people, in one line. What cannot be seen, or moves what can, is spelled
 * out: `\n`, `\r`, `\t`, and `\u{202e}` (at least four hex digits) for every other control, format, private, unassigned
 * or ignorable character, for lone surrogates, for spaces other than U+0020, and for combining marks without a letter or
 * beyond four on one. Backslashes are doubled where they would otherwise read as the begin of such an escape, so that no
 * text is shown as the escape of another; elsewhere (`C:\dir`) they stay single.
 *
 * Two different texts shown whole are different strings, but may still look the same: canonically equivalent spellings
 * (`é` as one code point, or as `e` and U+0301), and letters that resemble others (Latin `a`, Cyrillic `а`), stay as they
 * are. Nor is the order on screen that of the text where right-to-left letters stand beside each other, digits or signs,
 * since those reorder without any control character. What must tell texts apart compares digests, not what is shown.
 *
 * At most `maxLength` code points are shown (default 2,000; at least 32; `Infinity` for all): of longer text the begin and
 * the end, and between them `\u{… 123 hidden …}` with the count of code points left out. `escaped` tells whether the
 * result differs from `text`. Not idempotent: an escape shown again has its backslash doubled. Takes linear time.
 */
export function displaySafe(
  text: string,
  { maxLength = DEFAULT_MAX_LENGTH }: { maxLength?: number } = {},
): { text: string; escaped: boolean } {
  const limit = maxLength >= SMALLEST_MAX_LENGTH ? maxLength : SMALLEST_MAX_LENGTH;
  if (text.length <= limit && PLAIN.test(text)) return { text, escaped: false };
  const pieces = piecesOf(text, 0, limit);
  const isWhole = pieces.length === 0 || pieces.at(-1)?.end === text.length;
  const shown = isWhole && costOf(pieces) <= limit ? joined(pieces) : shortened(text, pieces, limit);
  return { text: shown, escaped: shown !== text };
}

/** The pieces from `start` on: all, or as many as it takes to cost more than `limit`. */
function piecesOf(text: string, start: number, limit: number): Piece[] {
  const pieces: Piece[] = [];
  let cost = 0;
  /** marks on the letter before; null where there is no letter that could carry one */
  let marks: number | null = null;
  let backslashes = { end: start, doubled: false };
  for (let at = start; at < text.length && cost <= limit; ) {
    const character = characterAt(text, at);
    if (character === "\\" && at >= backslashes.end) backslashes = backslashRun(text, at);
    let shown = character;
    if (character === "\\") {
      marks = 0;
      if (backslashes.doubled) shown = "\\\\";
    } else if (isCombining(character) && !isInvisible(character)) {
      if (marks === null || marks === MOST_MARKS) shown = escapeOf(character);
      else marks += 1;
    } else if (isInvisible(character)) {
      marks = null;
      shown = escapeOf(character);
    } else {
      marks = character === " " ? null : 0;
    }
    at += character.length;
    const pieceCost = shown === character ? 1 : shown.length;
    cost += pieceCost;
    pieces.push({ text: shown, cost: pieceCost, end: at });
  }
  return pieces;
}

/** Doubled where the run stands before something that would make an escape of it, or before an escape itself. */
function backslashRun(text: string, start: number): { end: number; doubled: boolean } {
  let end = start;
  while (text[end] === "\\") end += 1;
  if (end === text.length) return { end, doubled: false };
  const next = characterAt(text, end);
  return { end, doubled: "nrt".includes(next) || text.startsWith("u{", end) || isInvisible(next) };
}

function escapeOf(character: string): string {
  return NAMED_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`;
}

/** Begin and end of `text`, whose first pieces are `pieces`, with the mark of the cut between them. */
function shortened(text: string, pieces: readonly Piece[], limit: number): string {
  const budget = limit - cutMark(text.length).length;
  const tailBudget = Math.floor(budget / 3);
  const head = takeWhileAffordable(pieces, budget - tailBudget);
  // A backslash before the mark would double its own.
  while (head.at(-1)?.text.startsWith("\\\\") || head.at(-1)?.text === "\\") head.pop();
  const headEnd = head.at(-1)?.end ?? 0;
  const tailStart = Math.max(headEnd, characterStart(text, text.length - 2 * tailBudget));
  const candidates = piecesOf(text, tailStart, Number.POSITIVE_INFINITY);
  const tail = takeWhileAffordable(candidates.toReversed(), tailBudget).reverse();
  // A combining mark would sit on the mark of the cut.
  while (tail[0] !== undefined && isCombining(tail[0].text)) tail.shift();
  const cutEnd = candidates[candidates.length - tail.length - 1]?.end ?? tailStart;
  return `${joined(head)}${cutMark(countCharacters(text, headEnd, cutEnd))}${joined(tail)}`;
}

function cutMark(count: number): string {
  return `\\u{… ${count} hidden …}`;
}

function takeWhileAffordable(pieces: readonly Piece[], budget: number): Piece[] {
  let left = budget;
  const end = pieces.findIndex((piece) => {
    left -= piece.cost;
    return left < 0;
  });
  return end === -1 ? [...pieces] : pieces.slice(0, end);
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join("");
}

function costOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.cost, 0);
}

/** The code point that begins at `at`, or the lone surrogate that stands there. */
function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** `at`, or the unit after it where `at` is in the middle of a pair. */
function characterStart(text: string, at: number): number {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at;
}

function countCharacters(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
