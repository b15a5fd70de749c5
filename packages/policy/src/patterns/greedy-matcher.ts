import { LiteralSearch } from "./literal-search.js";
import type { TextMatcher } from "./text-matcher.js";
import { FOLDERS, RUN, type Token } from "./token.js";

interface Piece {
  readonly search: LiteralSearch;
  /** how far before the end of the piece in front of it this one may begin: they may share their `/` */
  readonly shared: 0 | 1;
}

/**
 * Matches literals with unlimited runs between them, by looking for each literal at the first place where it stands: what
 * is found first leaves most to the rest, so that nothing is ever tried twice.
 *
 * `ending` lists the characters of which one, and anything after it, may also follow.
 */
export class GreedyMatcher implements TextMatcher {
  readonly #start: string;
  readonly #middle: readonly Piece[];
  /** null: the pattern ends in a run */
  readonly #end: Piece | null;
  readonly #followed: readonly LiteralSearch[];
  readonly #isLiteral: boolean;
  readonly #ending: string;

  /** null where the tokens hold a wildcard of another sort. */
  static of(tokens: readonly Token[], ending: string): GreedyMatcher | null {
    const isSearchable = tokens.every((token, index) =>
      token === FOLDERS ? typeof tokens[index + 1] === "string" : typeof token === "string" || token === RUN,
    );
    return isSearchable ? new GreedyMatcher(tokens, ending) : null;
  }

  private constructor(tokens: readonly Token[], ending: string) {
    const [first] = tokens;
    this.#start = typeof first === "string" ? first : "";
    const pieces = piecesAfter(tokens);
    this.#isLiteral = tokens.length === 0 || (tokens.length === 1 && typeof first === "string");
    this.#end = tokens.at(-1) === RUN ? null : (pieces.pop() ?? null);
    this.#middle = pieces;
    this.#ending = ending;
    const end = this.#end;
    this.#followed =
      end === null ? [] : [...ending].map((next) => new LiteralSearch(end.search.literal + next));
  }

  matches(text: string): boolean {
    const start = this.#start;
    if (!text.startsWith(start)) return false;
    if (this.#isLiteral) return endsAt(text, start.length, this.#ending);
    let at = start.length;
    for (const { search, shared } of this.#middle) {
      const found = search.find(text, Math.max(at - shared, 0));
      if (found === -1) return false;
      at = found + search.literal.length;
    }
    return this.#end === null || this.#endsWith(text, at, this.#end);
  }

  #endsWith(text: string, at: number, { search, shared }: Piece): boolean {
    const from = Math.max(at - shared, 0);
    // Most texts do not hold it at all, so that nothing needs to be looked for that may follow it.
    if (this.#followed.length > 0 && search.find(text, from) === -1) return false;
    if (text.length - search.literal.length >= from && text.endsWith(search.literal)) return true;
    for (const followed of this.#followed) if (followed.find(text, from) !== -1) return true;
    return false;
  }
}

function piecesAfter(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  tokens.forEach((token, index) => {
    if (typeof token !== "string" || index === 0) return;
    if (tokens[index - 1] === FOLDERS) pieces.push({ search: new LiteralSearch(`/${token}`), shared: 1 });
    else pieces.push({ search: new LiteralSearch(token), shared: 0 });
  });
  return pieces;
}

function endsAt(text: string, at: number, ending: string): boolean {
  return at === text.length || (ending !== "" && ending.includes(text.charAt(at)));
}
