/** One key of a terminal in raw mode. `text` is set for `character` only, and holds one code point. */
export type Key = { name: Exclude<KeyName, "character"> } | { name: "character"; text: string };

export type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "backspace"
  | "delete"
  | "enter"
  | "escape"
  /** Ctrl-C */
  | "interrupt"
  /** Ctrl-D */
  | "end_of_input"
  | "character"
  /** a key or sequence that means nothing here */
  | "other";

const ESCAPE = "\u001b";

const CONTROL_KEYS: ReadonlyMap<string, Key> = new Map([
  ["\r", { name: "enter" }],
  ["\n", { name: "enter" }],
  ["\u0003", { name: "interrupt" }],
  ["\u0004", { name: "end_of_input" }],
  ["\u0008", { name: "backspace" }],
  ["\u007f", { name: "backspace" }],
]);

/** What follows `ESC [` or `ESC O`. */
const SEQUENCE_KEYS: ReadonlyMap<string, Key> = new Map([
  ["A", { name: "up" }],
  ["B", { name: "down" }],
  ["C", { name: "right" }],
  ["D", { name: "left" }],
  ["H", { name: "home" }],
  ["F", { name: "end" }],
  ["1~", { name: "home" }],
  ["3~", { name: "delete" }],
  ["4~", { name: "end" }],
]);

/**
 * Splits what a terminal sends into keys. A sequence may be torn over several pieces, so an escape at the end of one is
 * held back; `flush`, called when nothing followed for a moment, says that it was the Escape key.
 */
export class KeyParser {
  #held = "";

  get holds(): boolean {
    return this.#held !== "";
  }

  feed(text: string): Key[] {
    const whole = this.#held + text;
    const keys: Key[] = [];
    let at = 0;
    while (at < whole.length) {
      const read = readKey(whole, at);
      if (read === null) break;
      keys.push(read.key);
      at += read.length;
    }
    this.#held = whole.slice(at);
    return keys;
  }

  flush(): Key[] {
    const held = this.#held;
    this.#held = "";
    if (held === "") return [];
    return [{ name: held === ESCAPE ? "escape" : "other" }];
  }
}

/** The key at `at`; null when its sequence is not complete. */
function readKey(text: string, at: number): { key: Key; length: number } | null {
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (first !== ESCAPE) return { key: CONTROL_KEYS.get(first) ?? plainKey(first), length: first.length };
  const second = text.charAt(at + 1);
  if (second === "") return null;
  // A control key is never part of a sequence: Ctrl-C right after Escape is still Ctrl-C.
  if (second < " " || CONTROL_KEYS.has(second)) return { key: { name: "escape" }, length: 1 };
  if (second !== "[" && second !== "O") return { key: { name: "other" }, length: 2 };
  const end = sequenceEnd(text, at + 2);
  if (end === null) return null;
  return { key: SEQUENCE_KEYS.get(text.slice(at + 2, end)) ?? { name: "other" }, length: end - at };
}

function plainKey(character: string): Key {
  return character < " " ? { name: "other" } : { name: "character", text: character };
}

/** Just behind the final byte (`@` to `~`) of a control sequence; null when that has not come yet. */
function sequenceEnd(text: string, from: number): number | null {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return at + 1;
    if (code < 0x20 || code > 0x7e) return at;
  }
  return null;
}
