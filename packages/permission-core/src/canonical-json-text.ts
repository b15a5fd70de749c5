import { PermissionGateError } from "./errors.js";
import { canonicalNumber } from "./json-number.js";
import { MAX_JSON_DEPTH } from "./json-walk.js";
import { sortKeys } from "./key-order.js";

const WHITESPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Characters of one unit that stand for themselves in a string: no control, quote, backslash or surrogate. */
const RAW = /[ !#-[\]-\ud7ff\ue000-\uffff]+/y;
const HEX = /[0-9a-fA-F]{4}/y;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/**
 * The canonical text of raw JSON text, keeping what `JSON.parse` loses: `1` and `1.0` differ, `-0` is `-0.0`, integers
 * within 64 bits are exact, other numbers are binary64 in shortest form with a fraction or exponent. Of a repeated key
 * the last member wins.
 *
 * Throws `bad_json`, naming the offset in UTF-16 units and never the text itself, where the text is not strict JSON
 * (RFC 8259), a number is beyond binary64, a surrogate stands alone, or nesting goes beyond 512.
 */
export function canonicalJsonFromText(jsonText: string): string {
  return new Reader(jsonText).document();
}

class Reader {
  private offset = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): string {
    this.take(WHITESPACE);
    const canonical = this.value();
    this.take(WHITESPACE);
    if (this.offset < this.text.length) this.fail("expected the end of the text");
    return canonical;
  }

  private value(): string {
    switch (this.text[this.offset]) {
      case "{":
        return this.nested(() => this.object());
      case "[":
        return this.nested(() => this.array());
      case '"':
        return JSON.stringify(this.string());
      case "t":
        return this.word("true");
      case "f":
        return this.word("false");
      case "n":
        return this.word("null");
      default:
        return this.number();
    }
  }

  private nested(read: () => string): string {
    if (this.depth === MAX_JSON_DEPTH) this.fail(`nesting beyond ${MAX_JSON_DEPTH}`);
    this.depth++;
    this.offset++;
    const canonical = read();
    this.depth--;
    return canonical;
  }

  private array(): string {
    this.take(WHITESPACE);
    if (this.skip("]")) return "[]";
    let elements = "";
    for (;;) {
      elements += this.value();
      this.take(WHITESPACE);
      if (this.skip("]")) return `[${elements}]`;
      if (!this.skip(",")) this.fail("expected `,` or `]`");
      this.take(WHITESPACE);
      elements += ",";
    }
  }

  private object(): string {
    const members = new Map<string, string>();
    this.take(WHITESPACE);
    if (this.skip("}")) return "{}";
    for (;;) {
      if (this.text[this.offset] !== '"') this.fail("expected a member name in double quotes");
      const key = this.string();
      this.take(WHITESPACE);
      if (!this.skip(":")) this.fail("expected `:`");
      this.take(WHITESPACE);
      members.set(key, this.value());
      this.take(WHITESPACE);
      if (this.skip("}")) return joinMembers(members);
      if (!this.skip(",")) this.fail("expected `,` or `}`");
      this.take(WHITESPACE);
    }
  }

  private string(): string {
    this.offset++;
    let decoded = "";
    for (;;) {
      decoded += this.take(RAW);
      if (this.skip('"')) return decoded;
      decoded += this.text[this.offset] === "\\" ? this.escape() : this.surrogatePair();
    }
  }

  /** A character of two units; anything else that is neither raw text nor an escape is an error. */
  private surrogatePair(): string {
    if (this.offset >= this.text.length) this.fail("a string that does not end");
    const character = String.fromCodePoint(this.text.codePointAt(this.offset) ?? 0);
    if (character.length === 1)
      this.fail(character < " " ? "a raw control character in a string" : "a lone surrogate");
    this.offset += character.length;
    return character;
  }

  private escape(): string {
    const start = this.offset;
    const letter = this.text[start + 1] ?? "";
    this.offset = start + 2;
    const short = SHORT_ESCAPES.get(letter);
    if (short !== undefined) return short;
    if (letter !== "u") this.fail("an escape that JSON does not have", start);
    const first = this.hexUnit(start);
    if (first < 0xd800 || first > 0xdfff) return String.fromCharCode(first);
    const second = first < 0xdc00 && this.text.startsWith("\\u", this.offset) ? this.escapedUnit() : 0;
    if (second < 0xdc00 || second > 0xdfff) this.fail("the escape of a lone surrogate", start);
    return String.fromCharCode(first, second);
  }

  private escapedUnit(): number {
    const start = this.offset;
    this.offset += 2;
    return this.hexUnit(start);
  }

  private hexUnit(start: number): number {
    const digits = this.take(HEX);
    if (digits === "") this.fail("expected four hex digits after `\\u`", start);
    return Number.parseInt(digits, 16);
  }

  private number(): string {
    const start = this.offset;
    const literal = this.take(NUMBER);
    if (literal === "") this.fail("expected a value");
    return canonicalNumber(literal) ?? this.fail("a number out of range", start);
  }

  private word(word: string): string {
    if (!this.text.startsWith(word, this.offset)) this.fail("expected a value");
    this.offset += word.length;
    return word;
  }

  private skip(character: string): boolean {
    if (this.text[this.offset] !== character) return false;
    this.offset++;
    return true;
  }

  /** What `pattern`, a sticky one, matches here, or `""`; moves past it. */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const taken = pattern.exec(this.text)?.[0] ?? "";
    this.offset += taken.length;
    return taken;
  }

  private fail(problem: string, offset: number = this.offset): never {
    throw new PermissionGateError("bad_json", `JSON text does not parse: ${problem} at offset ${offset}`);
  }
}

function joinMembers(members: ReadonlyMap<string, string>): string {
  const keys = sortKeys([...members.keys()]);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${members.get(key)}`).join(",")}}`;
}
