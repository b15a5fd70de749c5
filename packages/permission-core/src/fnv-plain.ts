import type { Fnv } from "./fnv.js";
import { hexOf } from "./fnv-hex.js";
import { ESCAPE_ENTRY_BYTES, escapeTable } from "./string-escapes.js";

const CHUNK_BYTES = 32768;

/**
 * The fallback: the hash in four 16-bit limbs, lowest first, so that every product fits a double. The prime is
 * `0x100_000001b3`, hence times `0x1b3`, plus the hash moved up by two limbs and a byte.
 */
export class PlainFnv implements Fnv {
  readonly chunk: Uint8Array = new Uint8Array(CHUNK_BYTES);
  private readonly escapes: Uint8Array = escapeTable();
  private limb0 = 0;
  private limb1 = 0;
  private limb2 = 0;
  private limb3 = 0;

  start(): void {
    this.limb3 = 0xcbf2;
    this.limb2 = 0x9ce4;
    this.limb1 = 0x8422;
    this.limb0 = 0x2325;
  }

  update(length: number): void {
    this.take(this.chunk, 0, length);
  }

  updateEscaped(length: number): void {
    for (let index = 0; index < length; index++) {
      const entry = (this.chunk[index] as number) * ESCAPE_ENTRY_BYTES;
      this.take(this.escapes, entry + 1, entry + 1 + (this.escapes[entry] as number));
    }
  }

  private take(bytes: Uint8Array, from: number, to: number): void {
    let { limb0, limb1, limb2, limb3 } = this;
    for (let index = from; index < to; index++) {
      limb0 ^= bytes[index] as number;
      const product0 = limb0 * 0x1b3;
      const product1 = limb1 * 0x1b3 + (product0 >>> 16);
      const product2 = limb2 * 0x1b3 + (limb0 << 8) + (product1 >>> 16);
      const product3 = limb3 * 0x1b3 + (limb1 << 8) + (product2 >>> 16);
      limb0 = product0 & 0xffff;
      limb1 = product1 & 0xffff;
      limb2 = product2 & 0xffff;
      limb3 = product3 & 0xffff;
    }
    this.limb0 = limb0;
    this.limb1 = limb1;
    this.limb2 = limb2;
    this.limb3 = limb3;
  }

  hex(): string {
    return hexOf((this.limb3 << 16) | this.limb2, (this.limb1 << 16) | this.limb0);
  }
}
