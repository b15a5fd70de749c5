/** A bracket expression whose end every sed finds at the same place. */
const BRACKET = String.raw`\[\^?(?:\[:\w+:\]|\\[^\]\\\n]|[^\][\\\n])+\]`;
const SLASHLESS_BRACKET = BRACKET.replace(String.raw`[^\][\\\n]`, String.raw`[^\][\\\n/]`);
const ADDRESS = new RegExp(
  String.raw`^(?:\d+(?:~\d+)?|\$|\+\d+|~\d+|/(?:[^/\\\n[]|\\[^\n]|${SLASHLESS_BRACKET})*/[IM]*)`,
);
const LEADING_BRACKET = new RegExp(`^${BRACKET}`);
const PLAIN = "dDpPnNgGhHxzF=";
const SUBSTITUTE_FLAGS = /^[gpiI0-9]*/;
const LABEL = /^[btT:]\s*[\w.-]*/;
const EXIT = /^[lqQL]\s*\d*/;
const TEXT = /^[aic](?:\\[\s\S]|[^\n\\])*/;

/**
 * Whether a script of `sed` only edits the text that passes through: it names no file and runs nothing. A script that is
 * not understood whole is not plain.
 */
export function isPlainSedScript(script: string): boolean {
  let rest = script;
  while (rest !== "") {
    const before = rest;
    rest = rest.replace(/^[\s;{}]+/, "");
    if (rest.startsWith("#")) {
      rest = rest.replace(/^[^\n]*/, "");
      continue;
    }
    if (rest === "") return true;
    rest = afterAddresses(rest);
    if (rest.startsWith("{")) continue;
    const after = afterCommand(rest);
    if (after === null || after === before || !/^\s*(?:[;}\n#]|$)/.test(after)) return false;
    rest = after;
  }
  return true;
}

function afterAddresses(text: string): string {
  let rest = text.replace(ADDRESS, "").trimStart();
  if (rest.startsWith(",") && rest !== text)
    rest = rest.slice(1).trimStart().replace(ADDRESS, "").trimStart();
  return rest.replace(/^!\s*/, "");
}

function afterCommand(text: string): string | null {
  const command = text[0] ?? "";
  if (PLAIN.includes(command) && command !== "") return text.slice(1);
  if (command === "s") {
    const after = afterDelimited(text);
    return after === null ? null : after.replace(SUBSTITUTE_FLAGS, "");
  }
  if (command === "y") return afterDelimited(text);
  const known = LABEL.exec(text) ?? EXIT.exec(text) ?? TEXT.exec(text);
  return known === null ? null : text.slice(known[0].length);
}

/** The text after `s/…/…/` or `y/…/…/`, whatever its delimiter; null where sed may find another end than we do. */
function afterDelimited(text: string): string | null {
  const delimiter = text[1];
  if (delimiter === undefined || /[\\\n\w\s[\]]/.test(delimiter)) return null;
  let at = 2;
  for (let section = 0; section < 2; section++) {
    for (; at < text.length && text[at] !== delimiter; at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === "[" && section === 0 && text[0] === "s") {
        const bracket = LEADING_BRACKET.exec(text.slice(at))?.[0];
        if (
          bracket === undefined ||
          (bracket.replace(/\\./g, "").includes(delimiter) && !failsUnprotected(text, delimiter))
        )
          return null;
        at += bracket.length - 1;
      }
    }
    if (at >= text.length) return null;
    at++;
  }
  return text.slice(at);
}

/**
 * Whether the command is an error to a sed for which a bracket does not protect the delimiter in it, as in `s/[/]/x/`: what
 * follows its second section is no flag then, and no end.
 */
function failsUnprotected(text: string, delimiter: string): boolean {
  let at = 2;
  for (let section = 0; section < 2; section++) {
    while (at < text.length && text[at] !== delimiter) at += text[at] === "\\" ? 2 : 1;
    if (at >= text.length) return true;
    at++;
  }
  return /^[^gpiIeEmMwW0-9;}#\s]/.test(text.slice(at));
}
