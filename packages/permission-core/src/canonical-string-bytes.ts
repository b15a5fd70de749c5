/** The most bytes that one UTF-16 unit can become: an escape such as `\u001f`. */
export const MOST_BYTES_A_UNIT = 6;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The letter of each short escape, by the byte it stands for. */
const SHORT_ESCAPES = new Uint8Array(BACKSLASH + 1);
for (const [character, letter] of ["\bb", "\tt", "\nn", "\ff", "\rr", '""', "\\\\"]) {
  SHORT_ESCAPES[(character as string).charCodeAt(0)] = (letter as string).charCodeAt(0);
}

/**
 * Writes the units of `text` in [from, to), which splits no surrogate pair, as the inside of a canonical JSON string in
 * UTF-8. Gives the position behind it, or -1 where it met a lone surrogate. `bytes` must have room for
 * {@link MOST_BYTES_A_UNIT} for each unit.
 */
export function writeUnits(text: string, from: number, to: number, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let index = from; index < to; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (isRaw(unit)) bytes[at++] = unit;
      else at = writeEscape(unit, bytes, at);
    } else if (unit < 0x800) {
      bytes[at++] = 0xc0 | (unit >> 6);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else {
      const second = ++index < to ? text.charCodeAt(index) : 0;
      if (unit > 0xdbff || second < 0xdc00 || second > 0xdfff) return -1;
      at = writePair(unit, second, bytes, at);
    }
  }
  return at;
}

/** Whether a byte stands for itself, the likeliest first. */
function isRaw(byte: number): boolean {
  return byte > BACKSLASH || (byte > QUOTE && byte !== BACKSLASH) || byte === SPACE || byte === 0x21;
}

function writeEscape(byte: number, bytes: Uint8Array, at: number): number {
  const letter = SHORT_ESCAPES[byte] as number;
  bytes[at] = BACKSLASH;
  if (letter !== 0) {
    bytes[at + 1] = letter;
    return at + 2;
  }
  const hex = `u${byte.toString(16).padStart(4, "0")}`;
  for (let index = 0; index < hex.length; index++) bytes[at + 1 + index] = hex.charCodeAt(index);
  return at + 1 + hex.length;
}

function writePair(first: number, second: number, bytes: Uint8Array, at: number): number {
  const codePoint = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
  bytes[at] = 0xf0 | (codePoint >> 18);
  bytes[at + 1] = 0x80 | ((codePoint >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((codePoint >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (codePoint & 0x3f);
  return at + 4;
}
