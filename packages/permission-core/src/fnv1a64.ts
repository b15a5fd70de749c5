import { createFnv, type Fnv } from "./fnv.js";
import { utf8Bytes } from "./utf8.js";

let shared: Fnv | undefined;

/** FNV-1a, 64 bits, of the bytes, or of the text's UTF-8: 16 lowercase hex. An identifier, no defence against crafted input. */
export function fnv1a64(textOrBytes: string | Uint8Array): string {
  shared ??= createFnv();
  return hashBytes(shared, typeof textOrBytes === "string" ? utf8Bytes(textOrBytes) : textOrBytes);
}

/** Bytes of any length, a chunk at a time. */
export function hashBytes(fnv: Fnv, bytes: Uint8Array): string {
  fnv.start();
  for (let from = 0; from < bytes.length; from += fnv.chunk.length) {
    const part = bytes.subarray(from, from + fnv.chunk.length);
    fnv.chunk.set(part);
    fnv.update(part.length);
  }
  return fnv.hex();
}
