const ESCAPED = /\\[\s\S]/g;
const BARE = /[$`()<>;|&'"]/;
const QUOTED = /`|\$[A-Za-z_0-9{([@*#?$!-]/;

/**
 * Why a literal outside quotes cannot be only text: it still holds what a shell gives a meaning to, so the parser did not
 * read it as the shell will. This is the net under every other rule.
 */
export function bareHazard(text: string): string | null {
  return BARE.test(text) && BARE.test(text.replace(ESCAPED, "")) ? UNREAD : null;
}

/** The same for text inside double quotes, or in a heredoc whose delimiter is unquoted. */
export function quotedHazard(text: string): string | null {
  return QUOTED.test(text) && QUOTED.test(text.replace(ESCAPED, "")) ? UNREAD : null;
}

/** How an expansion ends, by how it begins. */
const CLOSERS: readonly (readonly [opening: string, closing: string])[] = [
  ["$(", ")"],
  ["${", "}"],
  ["$[", "]"],
  ["`", "`"],
  ["<(", ")"],
  [">(", ")"],
];

/**
 * Why an expansion cannot be trusted that does not end. In a heredoc the parser meets no error there; bash gives up, and dash
 * goes on to look for the end beyond the delimiter.
 */
export function openHazard(text: string): string | null {
  const found = CLOSERS.find(([opening]) => text.startsWith(opening));
  if (found === undefined) return null;
  const [opening, closing] = found;
  const isClosed = text.length > opening.length && text.endsWith(closing);
  return isClosed && !isEscaped(text, text.length - 1) ? null : "an expansion without an end";
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === "\\") start--;
  return (at - start) % 2 === 1;
}

const BLANK = /^(?:[ \t]|\\\n)*$/;
const PARENTHESIS = /(?:[ \t]|\\\n)*\(/y;

/** Why the text between two words of a command is no mere space: the parser went on past what it could not place. */
export function betweenHazard(source: string, from: number, to: number): string | null {
  if (to <= from || (to === from + 1 && source[from] === " ")) return null;
  return BLANK.test(source.slice(from, to)) ? null : UNREAD;
}

/** Why the text that comes right after the words of a command cannot stand there. */
export function afterHazard(source: string, from: number): string | null {
  if (from >= source.length) return null;
  PARENTHESIS.lastIndex = from;
  return PARENTHESIS.test(source) ? UNREAD : null;
}

const UNREAD = "text that a shell may read otherwise";

/** Most texts hold nothing but printable ASCII. */
const UNUSUAL = /[^\t\n -~]/;
const CONTROL = /(?![\t\n])\p{Cc}/u;
const ODD_CONTINUATION = /[^ \t\n]\\\n/;
/** bash reads `"$${x}"` as an expansion while it looks for the end of the string, and as the process id after that. */
const DOUBLE_DOLLAR = /\$\$[{(['`$]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** What makes a whole line untrustworthy before it is parsed. */
export function lineHazard(text: string): string | null {
  if (UNUSUAL.test(text) && CONTROL.test(text)) return "a control character";
  if (text.includes("\\\n") && ODD_CONTINUATION.test(text)) return "a line continuation inside a word";
  if (text.includes("$$") && DOUBLE_DOLLAR.test(text)) return "$$ before what a single $ would begin";
  if (UNUSUAL.test(text) && LONE_SURROGATE.test(text)) return "text that is no Unicode";
  return null;
}
