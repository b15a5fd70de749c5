import type { ParsedScript, Word, WordPart } from "unbash";
import { arithmeticHazard } from "./arithmetic-hazard.js";
import { parameterHazard, parameterOperands } from "./parameter-expansion.js";
import { plainWord, type ReadWord } from "./read-word.js";
import type { WordExpansion } from "./shell-analysis.js";
import { bareHazard, openHazard, quotedHazard } from "./unread-text.js";

/** Where a word stands. */
export interface WordScope {
  /** the text that positions of this word index */
  readonly source: string;
  /** nothing may be read that dash reads otherwise */
  readonly posix: boolean;
}

type PartOf<Type extends WordPart["type"]> = Extract<WordPart, { readonly type: Type }>;
type QuotationPart = PartOf<"SingleQuoted" | "AnsiCQuoted" | "DoubleQuoted" | "LocaleString">;
type PatternPart = PartOf<"Glob" | "ExtendedGlob" | "BraceExpansion">;
type ExpansionPart = Exclude<WordPart, QuotationPart | PatternPart | PartOf<"Literal">>;

const SPECIAL = /[^\w./:=@%+,^#!\]-]/;
const GLOB = /[*?]|\[[\s\S]/;
const ESCAPED = /\\[\s\S]/g;
const TILDE = /(?:^|[=:])~/;
/** They hold digits alone. */
const NUMBERS: ReadonlySet<string> = new Set(["$#", "$?", "$$"]);
/** Escapes of `$'…'` that every shell which knows it reads alike, to characters of ASCII. */
const PLAIN_ANSI_C = /^\$'(?:[^\\']|\\[abefnrtv\\'"]|\\x[0-7][0-9a-fA-F]|\\[01][0-7]{2})*'$/;
const NUL_ANSI_C = /\\(?:x00|000)/;

export function readWord(word: Word, scope: WordScope): ReadWord {
  const { text } = word;
  if (!SPECIAL.test(text)) return plainWord(text);
  const reading = new WordReading(scope);
  reading.word(word);
  return reading.done(text);
}

/** The body of a heredoc whose delimiter is unquoted: it reads as text in double quotes does. */
export function readBody(text: string, parts: readonly WordPart[] | undefined, scope: WordScope): ReadWord {
  const reading = new WordReading(scope);
  if (parts === undefined) reading.quotedText(text, text);
  else reading.parts(parts, true);
  return reading.done(text);
}

class WordReading {
  private loose = "";
  private readonly expansions: WordExpansion[] = [];
  private splits = false;
  private readonly scripts: ParsedScript[] = [];
  private hazard: string | null = null;
  private known = true;

  constructor(private readonly scope: WordScope) {}

  done(source: string): ReadWord {
    const { loose, expansions, splits, scripts, hazard } = this;
    const value = expansions.length === 0 && this.known && hazard === null ? loose : null;
    return { source, value, expansions, loose, splits, scripts, hazard };
  }

  word(word: Word): void {
    if (TILDE.test(word.text)) this.expands("tilde");
    const { parts } = word;
    if (parts === undefined) this.bareText(word.text, word.value, word.end);
    else {
      this.parts(parts, false);
      const only = parts[0];
      if (only?.type === "ProcessSubstitution" && parts.length === 1) this.tail(word.end);
    }
  }

  parts(parts: readonly WordPart[], quoted: boolean): void {
    const whole = parts.length === 1;
    for (const part of parts) this.part(part, quoted, whole);
  }

  private part(part: WordPart, quoted: boolean, whole: boolean): void {
    switch (part.type) {
      case "Literal":
        if (quoted) this.quotedText(part.text, part.value);
        else this.bareText(part.text, part.value, part.end);
        return;
      case "SingleQuoted":
      case "AnsiCQuoted":
      case "DoubleQuoted":
      case "LocaleString":
        this.quotation(part, quoted);
        return;
      case "Glob":
      case "ExtendedGlob":
      case "BraceExpansion":
        this.pattern(part, quoted);
        return;
      default:
        this.loose += part.text;
        this.refuse(openHazard(part.text));
        this.expansion(part, quoted, whole);
        return;
    }
  }

  private quotation(part: QuotationPart, quoted: boolean): void {
    if (quoted) this.refuse("a quote inside double quotes or a heredoc");
    switch (part.type) {
      case "SingleQuoted":
        this.loose += part.value;
        return;
      case "AnsiCQuoted":
        if (this.scope.posix) this.refuse("$'…', which not every shell reads as quoting");
        if (!PLAIN_ANSI_C.test(part.text) || NUL_ANSI_C.test(part.text)) this.known = false;
        this.loose += part.value;
        return;
      case "DoubleQuoted":
        this.parts(part.parts, true);
        return;
      case "LocaleString":
        this.refuse('a translated string ($"…")');
        this.parts(part.parts, true);
        return;
    }
  }

  /** What may become several words, or the names of files. */
  private pattern(part: PatternPart, quoted: boolean): void {
    const isBrace = part.type === "BraceExpansion";
    if (part.type === "ExtendedGlob") this.refuse("an extended glob");
    this.splitting(isBrace ? "brace" : "glob", quoted);
    this.loose += part.text;
    if (part.parts !== undefined) this.inside(part.parts, quoted);
    else if (isBrace) this.refuse(bareHazard(part.text));
  }

  private expansion(part: ExpansionPart, quoted: boolean, whole: boolean): void {
    switch (part.type) {
      case "SimpleExpansion":
        this.splitting("parameter", NUMBERS.has(part.text) || (quoted && part.text !== "$@"));
        return;
      case "ParameterExpansion":
        this.splitting("parameter", quoted && part.parameter !== "@" && part.index?.text !== "@");
        this.refuse(parameterHazard(part, quoted));
        for (const operand of parameterOperands(part)) this.operand(operand, quoted);
        return;
      case "CommandExpansion":
        if (part.text.startsWith("${")) this.refuse("a substitution in braces");
        this.substitution(part.script);
        this.splitting("substitution", quoted);
        return;
      case "ArithmeticExpansion":
        if (part.text.startsWith("$[")) this.refuse("arithmetic in square brackets");
        this.refuse(arithmeticHazard(part.expression, this.scripts));
        this.expands("arithmetic");
        return;
      case "ProcessSubstitution":
        if (this.scope.posix) this.refuse("a process substitution, which not every shell knows");
        if (!whole || quoted) this.refuse("a process substitution as a part of a word");
        this.substitution(part.script);
        this.expands("substitution");
        return;
    }
  }

  /** Reads parts for their hazards and substitutions, where their text is already taken. */
  private inside(parts: readonly WordPart[], quoted: boolean): void {
    const { loose } = this;
    this.parts(parts, quoted);
    this.loose = loose;
  }

  private bareText(text: string, value: string, end: number): void {
    this.loose += value;
    const hazard = bareHazard(text);
    if (hazard !== null && !this.isLastDollar(text, end)) this.refuse(hazard);
    if (GLOB.test(text) && GLOB.test(text.replace(ESCAPED, ""))) this.splitting("glob", false);
    if (/\{[^{}]*(?:,|\.\.)/.test(text)) this.splitting("brace", false);
  }

  quotedText(text: string, value: string): void {
    this.loose += value;
    this.refuse(quotedHazard(text));
  }

  /** `echo a$`: a dollar that ends its word is only itself. */
  private isLastDollar(text: string, end: number): boolean {
    if (!text.endsWith("$") || bareHazard(text.slice(0, -1)) !== null) return false;
    const next = this.scope.source[end];
    return next === undefined || next === " " || next === "\t" || next === "\n";
  }

  private operand(word: Word, quoted: boolean): void {
    const { loose } = this;
    if (word.parts !== undefined) this.inside(word.parts, quoted);
    else if (quoted) this.quotedText(word.text, "");
    else this.refuse(bareHazard(word.text));
    this.loose = loose;
  }

  private substitution(script: ParsedScript | undefined): void {
    if (script === undefined) this.refuse("a substitution that cannot be read");
    else this.scripts.push(script);
  }

  /** `<(a)#b` goes on where the parser ends it. */
  private tail(end: number): void {
    const next = this.scope.source[end];
    if (next !== undefined && !/[ \t\n;|&)]/.test(next))
      this.refuse("text right after a process substitution");
  }

  private splitting(expansion: WordExpansion, quoted: boolean): void {
    if (!quoted) this.splits = true;
    this.expands(expansion);
  }

  private expands(expansion: WordExpansion): void {
    if (!this.expansions.includes(expansion)) this.expansions.push(expansion);
  }

  private refuse(hazard: string | null): void {
    this.hazard ??= hazard;
  }
}
