import { MOST_BYTES_A_UNIT, writeUnits } from "./canonical-string-bytes.js";
import type { Fnv } from "./fnv.js";
import { JsonWalk, nameOfNonJson } from "./json-walk.js";
import { sortKeys } from "./key-order.js";
import { hasLoneSurrogate } from "./lone-surrogate.js";
import { textEncoder } from "./utf8.js";

/** Up to so many units, reading them one by one beats a call of the host's encoder. */
const SHORT_STRING = 40;
/** Longer strings go in steps of so many units, which must fit the chunk even if all are escapes. */
const STEP_UNITS = 4096;
const FIRST_OF_PAIR = /[\ud800-\udbff]/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * The digest of a value's canonical text without making that text: its bytes are written straight into the memory that
 * the hash reads. The text is the one that `canonicalJson` gives, and so are the errors. One walk at a time: a getter
 * that digests needs a hasher of its own.
 */
export class CanonicalHasher {
  private readonly walk = new JsonWalk();
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(private readonly fnv: Fnv) {
    this.bytes = fnv.chunk;
  }

  digest(value: unknown): string {
    this.fnv.start();
    this.at = 0;
    try {
      this.value(value);
    } catch (thrown) {
      throw this.walk.explain(thrown);
    }
    this.fnv.update(this.at);
    return this.fnv.hex();
  }

  private value(value: unknown): void {
    if (typeof value === "string") this.string(value);
    else if (typeof value === "number" && Number.isFinite(value)) this.number(value);
    else if (value === null || typeof value === "boolean") this.ascii(String(value));
    else if (typeof value !== "object") this.walk.refuse(nameOfNonJson(value));
    else if (Array.isArray(value)) this.array(value);
    else this.object(value as { [key: string]: unknown });
  }

  private array(array: readonly unknown[]): void {
    this.walk.enter(array, true);
    const length = array.length;
    this.byte(0x5b);
    for (let index = 0; index < length; index++) {
      if (index > 0) this.byte(COMMA);
      this.walk.at(index);
      this.value(array[index]);
    }
    this.byte(0x5d);
    this.walk.leave();
  }

  private object(object: { [key: string]: unknown }): void {
    this.walk.enter(object, false);
    let first = true;
    this.byte(0x7b);
    for (const key of sortKeys(Object.keys(object))) {
      this.walk.at(key);
      const member = object[key];
      if (member === undefined) continue;
      if (!first) this.byte(COMMA);
      first = false;
      this.string(key);
      this.byte(COLON);
      this.value(member);
    }
    this.byte(0x7d);
    this.walk.leave();
  }

  private number(value: number): void {
    this.ascii(String(value));
  }

  private ascii(text: string): void {
    this.reserve(text.length);
    for (let index = 0; index < text.length; index++) this.bytes[this.at++] = text.charCodeAt(index);
  }

  private string(text: string): void {
    this.byte(QUOTE);
    if (text.length <= SHORT_STRING) this.units(text, 0, text.length);
    else this.longText(text);
    this.byte(QUOTE);
  }

  private longText(text: string): void {
    for (let from = 0; from < text.length; ) {
      const to = endOfStep(text, from);
      if (textEncoder === null) this.units(text, from, to);
      else this.encoded(text.slice(from, to), textEncoder);
      from = to;
    }
  }

  private units(text: string, from: number, to: number): void {
    this.reserve((to - from) * MOST_BYTES_A_UNIT);
    const end = writeUnits(text, from, to, this.bytes, this.at);
    if (end < 0) this.walk.refuse("a lone surrogate");
    this.at = end;
  }

  /** The host encodes, much faster by the unit than reading units, and the hash escapes. */
  private encoded(text: string, encoder: TextEncoder): void {
    this.flush();
    const { written } = encoder.encodeInto(text, this.bytes);
    const isAscii = written === text.length;
    if (!isAscii && hasLoneSurrogate(text)) this.walk.refuse("a lone surrogate");
    this.fnv.updateEscaped(written);
  }

  private byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.at++] = byte;
  }

  private reserve(length: number): void {
    if (this.at + length > this.bytes.length) this.flush();
  }

  private flush(): void {
    this.fnv.update(this.at);
    this.at = 0;
  }
}

/** Where the step from `from` ends: one unit later where it would split a surrogate pair. */
function endOfStep(text: string, from: number): number {
  const to = from + STEP_UNITS;
  if (to >= text.length) return text.length;
  return FIRST_OF_PAIR.test(text.charAt(to - 1)) ? to + 1 : to;
}
