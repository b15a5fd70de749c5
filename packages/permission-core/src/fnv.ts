import { PlainFnv } from "./fnv-plain.js";
import { createWasmFnv } from "./fnv-wasm.js";

/** FNV-1a, 64 bits, over bytes that the caller writes into `chunk` and hands over, as often as needed. */
export interface Fnv {
  /** At least 32,000 bytes, and always the same ones. */
  readonly chunk: Uint8Array;
  start(): void;
  /** Takes the first `length` bytes of the chunk. */
  update(length: number): void;
  /** Takes the first `length` bytes of the chunk, UTF-8 text, as they are written inside a canonical JSON string. */
  updateEscaped(length: number): void;
  /** 16 lowercase hex */
  hex(): string;
}

/** WebAssembly where the host compiles it, else plain JavaScript: 64-bit multiplication is what JavaScript lacks. */
export function createFnv(): Fnv {
  return createWasmFnv() ?? new PlainFnv();
}
