import { type ChainHead, seal } from "./chain.js";

/** The lines of one write, each sealed after the one before where there is a chain. */
export class LineBatch {
  readonly lines: string[] = [];
  /** where the chain stands after each line; null where it has none, and after the end of an earlier line */
  readonly #heads: (ChainHead | null)[] = [];
  readonly #room: number;
  #head: ChainHead | null;
  #bytes = 0;

  /** `head` is null without a chain; `room` is in bytes. */
  constructor(head: ChainHead | null, room: number = Number.POSITIVE_INFINITY) {
    this.#head = head;
    this.#room = room;
  }

  /** Ends a line that stands in the file without its end. */
  addEnd(): void {
    this.lines.push("");
    this.#heads.push(null);
    this.#bytes += 1;
  }

  /** Adds a line, unless there is no room for it. */
  add(text: string, mustFit = true): boolean {
    const sealed = this.#head === null ? { text, head: null } : seal(text, this.#head);
    if (this.#room !== Number.POSITIVE_INFINITY) {
      const bytes = this.#bytes + Buffer.byteLength(sealed.text) + 1;
      if (mustFit && bytes > this.#room) return false;
      this.#bytes = bytes;
    }
    this.lines.push(sealed.text);
    this.#heads.push(sealed.head);
    this.#head = sealed.head;
    return true;
  }

  toBytes(): Buffer {
    return Buffer.from(`${this.lines.join("\n")}\n`);
  }

  /** Where the chain stands after the first `lines` of them. */
  headAfter(lines: number): ChainHead | null {
    return this.#heads[lines - 1] ?? null;
  }

  /** How many lines the first `bytes` bytes hold with their ends, and how many bytes those take. */
  wholeLinesIn(bytes: number): { lines: number; bytes: number } {
    let taken = 0;
    for (const [index, line] of this.lines.entries()) {
      const next = taken + Buffer.byteLength(line) + 1;
      if (next > bytes) return { lines: index, bytes: taken };
      taken = next;
    }
    return { lines: this.lines.length, bytes: taken };
  }
}
