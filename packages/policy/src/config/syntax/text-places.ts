/** Where something stands in a text: both begin with 1, the column in UTF-16 units, as editors count. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Finds line and column of offsets into one text. */
export class TextPlaces {
  readonly #text: string;
  #starts: readonly number[] | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): TextPlace {
    this.#starts ??= lineStarts(this.#text);
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** What stands from one offset to another, in its first line only. */
  firstLine(offset: number, end: number): string {
    return this.#text.slice(offset, end).split(/\r\n|\r|\n/, 1)[0] ?? "";
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: mark } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + mark.length);
  return starts;
}
