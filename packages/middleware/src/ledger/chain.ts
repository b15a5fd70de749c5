import { hash } from "node:crypto";

/** Where a chain stands: how many lines it has, and the hash that the last of them carries. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** Before the first line of a chain. */
export const CHAIN_BEGIN: ChainHead = { seq: 0, hash: "0".repeat(64) };

/** The end of a line with a chain: its number in the chain, and its hash. */
const SEAL = /,"seq":([1-9]\d{0,15}),"hash":"([0-9a-f]{64})"\}$/;

/**
 * The line `text` as the next of the chain: with its number as `seq`, then with its `hash` as the last member, which is
 * `SHA-256(previous hash + the line's own text without the hash)` in hex, both as UTF-8. The text is hashed byte by byte
 * as it is written: nothing in a line can change without its hash.
 */
export function seal(text: string, head: ChainHead): { text: string; head: ChainHead } {
  const seq = head.seq + 1;
  const numbered = `${text.slice(0, -1)},"seq":${seq}`;
  const hashed = hashAfter(head.hash, `${numbered}}`);
  return { text: `${numbered},"hash":"${hashed}"}`, head: { seq, hash: hashed } };
}

export interface Seal extends ChainHead {
  /** the text that was hashed after the previous line's hash */
  readonly body: string;
}

/** What a line says of its place in a chain; null where it is in none. Nothing is checked. */
export function readSeal(text: string): Seal | null {
  const found = SEAL.exec(text);
  if (found === null) return null;
  const [, seq, hashed = ""] = found;
  // The hash and what surrounds it: `,"hash":"…"}`.
  return { seq: Number(seq), hash: hashed, body: `${text.slice(0, -(hashed.length + 11))}}` };
}

/** Whether the line was written after one with the hash `previous`, as it stands. */
export function isSealedAfter(previous: string, seal: Seal): boolean {
  return hashAfter(previous, seal.body) === seal.hash;
}

function hashAfter(previous: string, body: string): string {
  return hash("sha256", previous + body, "hex");
}
