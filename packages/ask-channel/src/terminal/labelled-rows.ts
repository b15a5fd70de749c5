import { wrapText } from "./wrap-text.js";

const LABEL_WIDTH = 9;
const GOES_ON = "↳ ";
const NEW_LINE = "| ";
/** What is drawn around a row at most: two bars, which some terminals draw two columns wide, and two blanks at each. */
const FRAME_WIDTH = 8;
/** The fewest columns of text. On a terminal too narrow for them, rows are broken by the prompts or the terminal. */
const LEAST_TEXT_WIDTH = 10;

/** The columns that are left for text in a row, on a terminal of so many. */
export function textWidth(columns: number): number {
  return Math.max(LEAST_TEXT_WIDTH, columns - FRAME_WIDTH - LABEL_WIDTH - GOES_ON.length);
}

/**
 * Lines of text beside their label. Only the label is ever in its column: a line that goes on is marked with `↳`, and
 * one that begins anew with `|`, behind as many blanks. Holds on terminals of 29 columns and more.
 */
export function labelledRows(label: string, lines: readonly string[], columns: number): string[] {
  const indent = " ".repeat(LABEL_WIDTH);
  return lines.flatMap((line, lineIndex) =>
    wrapText(line, textWidth(columns)).map((part, partIndex) => {
      if (partIndex > 0) return `${indent}${GOES_ON}${part}`;
      return lineIndex > 0 ? `${indent}${NEW_LINE}${part}` : `${label.padEnd(LABEL_WIDTH)}${part}`;
    }),
  );
}
