/** Null in hosts without Web globals, such as a bare `vm` context. */
export const textEncoder: TextEncoder | null = typeof TextEncoder === "undefined" ? null : new TextEncoder();

/** The UTF-8 bytes of `text`; a lone surrogate becomes U+FFFD, as everywhere on the Web. */
export function utf8Bytes(text: string): Uint8Array {
  if (textEncoder !== null) return textEncoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) pushCodePoint(bytes, character.codePointAt(0) ?? 0);
  return Uint8Array.from(bytes);
}

function pushCodePoint(bytes: number[], codePoint: number): void {
  if (codePoint < 0x80) bytes.push(codePoint);
  else if (codePoint < 0x800) bytes.push(0xc0 | (codePoint >> 6), continuation(codePoint));
  else if (codePoint >= 0xd800 && codePoint < 0xe000) bytes.push(0xef, 0xbf, 0xbd);
  else if (codePoint < 0x10000)
    bytes.push(0xe0 | (codePoint >> 12), continuation(codePoint >> 6), continuation(codePoint));
  else
    bytes.push(
      0xf0 | (codePoint >> 18),
      continuation(codePoint >> 12),
      continuation(codePoint >> 6),
      continuation(codePoint),
    );
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f);
}
