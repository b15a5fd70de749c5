/** Stands for a blank that would otherwise not be seen, or be taken for the edge of a column. */
const BLANK = "·";
/** Columns of a letter with as many marks as `displaySafe` leaves on one. */
const WIDEST_LETTER = 6;

/**
 * Breaks one line of text into lines of at most `columns`, after blanks where it can, and within a word longer than that.
 * Takes what `displaySafe` gives. Blanks at the begin and end, at a break, and in a run of several are shown as `·`, so
 * none is lost where a line ends. `columns` must hold the widest letter with its marks, so be 8 or more.
 */
export function wrapText(text: string, columns: number): string[] {
  const room = columns - widthOf(BLANK);
  const lines: string[] = [];
  let line = "";
  let width = 0;
  const breakLine = (end: string) => {
    lines.push(line + end);
    line = "";
    width = 0;
  };
  for (const [index, word] of withVisibleBlanks(text).split(" ").entries()) {
    const wordWidth = widthOf(word);
    // A word that needs several lines anyway begins where it stands.
    const needed = wordWidth > room ? WIDEST_LETTER : wordWidth;
    if (index > 0 && width + 1 + needed > room) breakLine(BLANK);
    else if (index > 0) {
      line += " ";
      width += 1;
    }
    for (const letter of lettersOf(word)) {
      const letterWidth = widthOf(letter);
      if (width + letterWidth > room) breakLine("");
      line += letter;
      width += letterWidth;
    }
  }
  lines.push(line);
  return lines;
}

function withVisibleBlanks(text: string): string {
  return text.replace(/ {2,}|^ | $/g, (blanks) => BLANK.repeat(blanks.length));
}

/** Letters with their marks, which must not part from them. */
function lettersOf(text: string): string[] {
  return text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
}

/**
 * The most columns that a terminal may take to show a text. Terminals differ on emoji, on marks, and on letters that are
 * wide in East Asian settings. What is counted too wide is only broken early; too narrow would let the terminal break it.
 */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character <= "~" || /\p{M}/u.test(character) ? 1 : 2;
  return width;
}
