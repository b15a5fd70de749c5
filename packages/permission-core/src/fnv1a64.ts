/** FNV-1a, 64 bits, of the bytes, or of the text's UTF-8: 16 lowercase hex. An identifier, no defence against crafted input. */
export function fnv1a64(textOrBytes: string | Uint8Array): string {
  const bytes = typeof textOrBytes === "string" ? new TextEncoder().encode(textOrBytes) : textOrBytes;
  let [a, b, c, d] = [0x2325, 0x8422, 0x9ce4, 0xcbf2];
  for (const byte of bytes) {
    a ^= byte;
    const a0 = a * 0x1b3;
    const b0 = b * 0x1b3 + (a0 >>> 16);
    const c0 = c * 0x1b3 + a * 0x100 + (b0 >>> 16);
    const d0 = d * 0x1b3 + b * 0x100 + (c0 >>> 16);
    a = a0 & 0xffff;
    b = b0 & 0xffff;
    c = c0 & 0xffff;
    d = d0 & 0xffff;
  }
  return [d, c, b, a].map((limb) => limb.toString(16).padStart(4, "0")).join("");
}
