/** A place in a text, both numbers counted from 1; columns are UTF-16 units, as editors count them. */
export interface TextPosition {
  line: number;
  column: number;
}

/** The place of `text[offset]`. Lines end with `\n`. */
export function textPosition(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
