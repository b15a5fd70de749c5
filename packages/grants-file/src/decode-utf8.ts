const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** A byte order mark is kept as a character, so that it is no valid beginning of a JSON text. */
export function decodeUtf8(
  bytes: Uint8Array,
): { kind: "text"; text: string } | { kind: "invalid"; before: string } {
  try {
    return { kind: "text", text: strict.decode(bytes) };
  } catch {
    return { kind: "invalid", before: lenient.decode(bytes.subarray(0, firstInvalidByte(bytes))) };
  }
}

/** Decoding with replacement and encoding again first differs where a byte was replaced. */
function firstInvalidByte(bytes: Uint8Array): number {
  const again = new TextEncoder().encode(lenient.decode(bytes));
  return bytes.findIndex((byte, index) => again[index] !== byte);
}
