/** Bytes that an entry takes: a count, then up to six bytes. */
export const ESCAPE_ENTRY_BYTES = 8;

/**
 * How each byte of a string's UTF-8 is written in canonical JSON. 256 entries: how many bytes, then the bytes; one byte,
 * itself, for all but controls, quote and backslash.
 */
export function escapeTable(): Uint8Array {
  const table = new Uint8Array(256 * ESCAPE_ENTRY_BYTES);
  for (let byte = 0; byte < 256; byte++) {
    const written = byte < 0x80 ? asciiBytes(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)) : [byte];
    table.set([written.length, ...written], byte * ESCAPE_ENTRY_BYTES);
  }
  return table;
}

function asciiBytes(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
