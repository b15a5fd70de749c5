const TOKENS: { readonly [kind: string]: RegExp } = {
  blank: /(?:[ \t\r]|\\\r?\n)+/y,
  comment: /#[^\n]*/y,
  string: /"(?:[^"\\\n]|\\[\s\S])*"/y,
  name: /[A-Za-z_]\w*/y,
  number: /\.?\d[\w.]*/y,
  step: /\+\+|--/y,
};
/** A bracket expression that holds `/` ends where each awk says. */
const EXPRESSION = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?(?:\[:\w+:\]|\\[^\n/]|[^\][\\\n/])+\])*\//y;
/** After these, a slash begins a regular expression. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if else while for do return delete in next exit print printf case function func".split(" "),
);
/** After these, it may be either. */
const UNCLEAR: ReadonlySet<string> = new Set(["length", "getline"]);

/**
 * An awk program with its strings emptied, and without comments and regular expressions; null where it cannot be told what is
 * one. A line that goes on after a comma, `&&` or `||` goes on here as well.
 */
export function awkCode(text: string): string | null {
  let code = "";
  let before: "operand" | "operator" | "unclear" = "operator";
  for (let at = 0; at < text.length; ) {
    const kind = Object.keys(TOKENS).find((name) => matchAt(TOKENS[name] as RegExp, text, at) !== null);
    const token =
      kind === undefined ? (text[at] as string) : (matchAt(TOKENS[kind] as RegExp, text, at) ?? "");
    at += token.length;
    if (kind === "comment") continue;
    if (kind === "blank") {
      code += " ";
      continue;
    }
    if (token === "/" && before === "unclear") return null;
    if (token === "/" && before === "operator") {
      const expression = matchAt(EXPRESSION, text, at - 1);
      if (expression === null) return null;
      at += expression.length - 1;
      code += "0";
      before = "operand";
      continue;
    }
    if (token === '"') return null;
    if (token === "\n" && /[,&|]\s*$/.test(code)) continue;
    code += kind === "string" ? '""' : token;
    before = roleOf(token, kind);
  }
  return code;
}

function roleOf(token: string, kind: string | undefined): "operand" | "operator" | "unclear" {
  if (kind === "step" || token === ")" || UNCLEAR.has(token)) return "unclear";
  if (kind === "name") return KEYWORDS.has(token) ? "operator" : "operand";
  return kind === "string" || kind === "number" || token === "]" ? "operand" : "operator";
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
