/** Up to this length the engine's own search cannot lose much on a text made against it. */
const SHORT = 32;

/** Finds one literal in many texts, in time linear in the text however both are made. */
export class LiteralSearch {
  readonly literal: string;
  /** of each beginning of the literal, the length of its longest proper beginning that is also its end */
  #borders: Uint32Array | null = null;

  constructor(literal: string) {
    this.literal = literal;
  }

  /** The index of the first occurrence at `from` or later; -1: there is none. */
  find(text: string, from: number): number {
    const { literal } = this;
    if (literal.length <= SHORT || text.length - from < 2 * literal.length)
      return text.indexOf(literal, from);
    this.#borders ??= bordersOf(literal);
    return this.#findLong(text, from, this.#borders);
  }

  /** Knuth, Morris and Pratt's search: it never looks at a character of the text again once it has gone on. */
  #findLong(text: string, from: number, borders: Uint32Array): number {
    const { literal } = this;
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && literal.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (literal.charCodeAt(matched) === unit) matched += 1;
      if (matched === literal.length) return at + 1 - matched;
    }
    return -1;
  }
}

function bordersOf(literal: string): Uint32Array {
  const borders = new Uint32Array(literal.length);
  let border = 0;
  for (let at = 1; at < literal.length; at++) {
    const unit = literal.charCodeAt(at);
    while (border > 0 && literal.charCodeAt(border) !== unit) border = borders[border - 1] ?? 0;
    if (literal.charCodeAt(border) === unit) border += 1;
    borders[at] = border;
  }
  return borders;
}
