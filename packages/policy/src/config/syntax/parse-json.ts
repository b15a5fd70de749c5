import type { ConfigEntry, ConfigNode } from "./config-node.js";
import { ConfigSyntaxError, MAX_DEPTH, tooDeep } from "./config-syntax-error.js";

/** JSON with `//` and block comments and trailing commas. Throws {@link ConfigSyntaxError}. */
export function parseJson(text: string): ConfigNode {
  return new JsonReader(text).document();
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): ConfigNode {
    const node = this.#value(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#error("has more text after its end: remove it");
    return node;
  }

  #value(depth: number): ConfigNode {
    this.#skipBlank();
    const offset = this.#at;
    const first = this.#text[offset];
    if (first === '"') return { type: "text", value: this.#string(), offset, end: this.#at };
    if (first !== "[" && first !== "{") return this.#literal();
    if (depth === MAX_DEPTH) throw tooDeep(offset);
    if (first === "[") {
      const items = this.#members("]", () => this.#value(depth + 1));
      return { type: "list", items, offset, end: this.#at };
    }
    const entries = this.#members("}", () => this.#entry(depth + 1));
    return { type: "map", entries, offset, end: this.#at };
  }

  #members<Member>(close: string, read: () => Member): Member[] {
    const members: Member[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipBlank();
      if (this.#take(close)) return members;
      members.push(read());
      this.#skipBlank();
      if (this.#take(",")) continue;
      if (this.#take(close)) return members;
      throw this.#error(`lacks a comma or ${close} here`);
    }
  }

  #entry(depth: number): ConfigEntry {
    const offset = this.#at;
    if (this.#text[offset] !== '"') throw this.#error("lacks a key in double quotes here");
    const key = this.#string();
    this.#skipBlank();
    if (!this.#take(":")) throw this.#error("lacks a colon after the key here");
    const value = this.#value(depth);
    return { key, value, offset, end: value.end };
  }

  #literal(): ConfigNode {
    const offset = this.#at;
    LITERAL.lastIndex = offset;
    const found = LITERAL.exec(this.#text)?.[0];
    if (found === undefined) throw this.#error("lacks a value here");
    this.#at += found.length;
    return { type: found === "null" ? "nothing" : "other", offset, end: this.#at };
  }

  /** From the opening quote to behind the closing one. */
  #string(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === "\\") at += 1;
      else if (character === '"') {
        this.#at = at + 1;
        return this.#unescape(start, at + 1);
      } else if (character === "\n") break;
    }
    throw this.#error('has a text without its closing quote: add the "');
  }

  #unescape(start: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      throw new ConfigSyntaxError(
        "has a text with a control character or an unknown escape: write \\\\ for a backslash",
        start,
      );
    }
  }

  /** White space and comments. */
  #skipBlank(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
      if (this.#text.startsWith("//", this.#at)) this.#at = this.#indexAfter("\n") ?? this.#text.length;
      else if (this.#text.startsWith("/*", this.#at)) {
        const end = this.#indexAfter("*/");
        if (end === null) throw this.#error("has a comment without its end: add */");
        this.#at = end;
      } else return;
    }
  }

  #indexAfter(mark: string): number | null {
    const found = this.#text.indexOf(mark, this.#at + 2);
    return found === -1 ? null : found + mark.length;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #error(message: string): ConfigSyntaxError {
    return new ConfigSyntaxError(message, this.#at);
  }
}
