const NEWLINE = "\n".charCodeAt(0);

/** A line as it stands in a file. */
export interface RawLine {
  readonly bytes: Uint8Array;
  /** whether it has its end: only the last line of a file may lack it */
  readonly isEnded: boolean;
}

/** Cuts bytes into lines, whatever pieces they come in. */
export class LineSplitter {
  #pieces: Uint8Array[] = [];

  push(chunk: Uint8Array): RawLine[] {
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      lines.push({ bytes: this.#withPieces(chunk.subarray(start, end)), isEnded: true });
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
    return lines;
  }

  /** What is left once everything came. */
  end(): RawLine[] {
    if (this.#pieces.length === 0) return [];
    return [{ bytes: this.#withPieces(new Uint8Array()), isEnded: false }];
  }

  #withPieces(last: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return last;
    const pieces = [...this.#pieces, last];
    this.#pieces = [];
    const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}
