import type { Fnv } from "./fnv.js";
import { hexOf } from "./fnv-hex.js";
import { escapeTable } from "./string-escapes.js";

const ESCAPES_START = 8;
const CHUNK_START = 2056;

/**
 * The module below as text. `u` hashes the chunk up to `$end` as it is, `e` through the table of escapes, whose entries
 * are a count and as many bytes.
 *
 * (module
 *   (memory (export "m") 1 1)              ;; 64 KiB: the hash at 0, the table of escapes from 8, the chunk from 2056
 *   (func (export "u") (param $end i32) (local $at i32) (local $hash i64)
 *     (local.set $hash (i64.load (i32.const 0)))
 *     (local.set $at (i32.const 2056))
 *     (block $done
 *       (loop $next
 *         (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
 *         (local.set $hash
 *           (i64.mul (i64.xor (local.get $hash) (i64.load8_u (local.get $at))) (i64.const 0x100000001b3)))
 *         (local.set $at (i32.add (local.get $at) (i32.const 1)))
 *         (br $next)))
 *     (i64.store (i32.const 0) (local.get $hash)))
 *   (func (export "e") (param $end i32) (local $at i32) (local $from i32) (local $last i32) (local $hash i64)
 *     (local.set $hash (i64.load (i32.const 0)))
 *     (local.set $at (i32.const 2056))
 *     (block $done
 *       (loop $next
 *         (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
 *         (local.set $from (i32.add (i32.shl (i32.load8_u (local.get $at)) (i32.const 3)) (i32.const 8)))
 *         (local.set $last (i32.add (local.get $from) (i32.load8_u (local.get $from))))
 *         (loop $escape
 *           (local.set $hash
 *             (i64.mul
 *               (i64.xor
 *                 (i64.load8_u (local.tee $from (i32.add (local.get $from) (i32.const 1))))
 *                 (local.get $hash))
 *               (i64.const 0x100000001b3)))
 *           (br_if $escape (i32.lt_u (local.get $from) (local.get $last))))
 *         (local.set $at (i32.add (local.get $at) (i32.const 1)))
 *         (br $next)))
 *     (i64.store (i32.const 0) (local.get $hash))))
 */
// biome-ignore format: one line a section, one line a statement
const MODULE_BYTES = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x01, 0x05, 0x01, 0x60, 0x01, 0x7f, 0x00,
  0x03, 0x03, 0x02, 0x00, 0x00,
  0x05, 0x04, 0x01, 0x01, 0x01, 0x01,
  0x07, 0x0d, 0x03, 0x01, 0x6d, 0x02, 0x00, 0x01, 0x75, 0x00, 0x00, 0x01, 0x65, 0x00, 0x01,
  0x0a, 0xab, 0x01, 0x02,
  0x41, 0x02, 0x01, 0x7f, 0x01, 0x7e,
  0x41, 0x00, 0x29, 0x03, 0x00, 0x21, 0x02,
  0x41, 0x88, 0x10, 0x21, 0x01,
  0x02, 0x40,
  0x03, 0x40,
  0x20, 0x01, 0x20, 0x00, 0x4f, 0x0d, 0x01,
  0x20, 0x02, 0x20, 0x01, 0x31, 0x00, 0x00, 0x85,
  0x42, 0xb3, 0x83, 0x80, 0x80, 0x80, 0x20, 0x7e, 0x21, 0x02,
  0x20, 0x01, 0x41, 0x01, 0x6a, 0x21, 0x01,
  0x0c, 0x00,
  0x0b, 0x0b,
  0x41, 0x00, 0x20, 0x02, 0x37, 0x03, 0x00,
  0x0b,
  0x67, 0x02, 0x03, 0x7f, 0x01, 0x7e,
  0x41, 0x00, 0x29, 0x03, 0x00, 0x21, 0x04,
  0x41, 0x88, 0x10, 0x21, 0x01,
  0x02, 0x40,
  0x03, 0x40,
  0x20, 0x01, 0x20, 0x00, 0x4f, 0x0d, 0x01,
  0x20, 0x01, 0x2d, 0x00, 0x00, 0x41, 0x03, 0x74, 0x41, 0x08, 0x6a, 0x21, 0x02,
  0x20, 0x02, 0x20, 0x02, 0x2d, 0x00, 0x00, 0x6a, 0x21, 0x03,
  0x03, 0x40,
  0x20, 0x02, 0x41, 0x01, 0x6a, 0x22, 0x02,
  0x31, 0x00, 0x00, 0x20, 0x04, 0x85,
  0x42, 0xb3, 0x83, 0x80, 0x80, 0x80, 0x20, 0x7e, 0x21, 0x04,
  0x20, 0x02, 0x20, 0x03, 0x49, 0x0d, 0x00,
  0x0b,
  0x20, 0x01, 0x41, 0x01, 0x6a, 0x21, 0x01,
  0x0c, 0x00,
  0x0b, 0x0b,
  0x41, 0x00, 0x20, 0x04, 0x37, 0x03, 0x00,
  0x0b,
]);

/** undefined: not tried yet. null: this host does not run WebAssembly. */
let compiled: WebAssembly.Module | null | undefined;

/**
 * A fresh instance with a memory of its own, or null where the host does not run WebAssembly: it may lack it, or its
 * policy may forbid it. Tried once and remembered, since a policy reports every further try as a violation.
 */
export function createWasmFnv(): Fnv | null {
  if (compiled === null) return null;
  try {
    compiled ??= new WebAssembly.Module(MODULE_BYTES);
    return new WasmFnv(new WebAssembly.Instance(compiled));
  } catch {
    compiled = null;
    return null;
  }
}

class WasmFnv implements Fnv {
  readonly chunk: Uint8Array;
  private readonly hash: DataView;
  private readonly hashTo: (end: number) => void;
  private readonly hashEscapedTo: (end: number) => void;

  constructor(instance: WebAssembly.Instance) {
    const { buffer } = instance.exports["m"] as WebAssembly.Memory;
    new Uint8Array(buffer).set(escapeTable(), ESCAPES_START);
    this.chunk = new Uint8Array(buffer, CHUNK_START);
    this.hash = new DataView(buffer, 0, ESCAPES_START);
    this.hashTo = instance.exports["u"] as (end: number) => void;
    this.hashEscapedTo = instance.exports["e"] as (end: number) => void;
  }

  start(): void {
    this.hash.setUint32(4, 0xcbf29ce4, true);
    this.hash.setUint32(0, 0x84222325, true);
  }

  update(length: number): void {
    this.hashTo(CHUNK_START + length);
  }

  updateEscaped(length: number): void {
    this.hashEscapedTo(CHUNK_START + length);
  }

  hex(): string {
    return hexOf(this.hash.getUint32(4, true), this.hash.getUint32(0, true));
  }
}
