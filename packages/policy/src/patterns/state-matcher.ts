import type { TextMatcher } from "./text-matcher.js";
import { ANY, FOLDERS, RUN, SEGMENT_ANY, SEGMENT_RUN, type Token } from "./token.js";

const SLASH = 0x2f;
const BITS = 32;

/**
 * Matches any tokens by counting states: bit `i` says that the first `i` consuming tokens have matched so far. Every code
 * point of a text is looked at once, at the cost of one step for each 32 code points of the pattern. Memory follows the
 * pattern's length, however many different code points it has.
 *
 * `ending` lists the characters of which one, and anything after it, may also follow.
 */
export class StateMatcher implements TextMatcher {
  readonly #words: number;
  /** what a code point that the pattern names often may step into */
  readonly #accepted = new Map<number, Uint32Array>();
  /** the same as numbers of states, for those it names seldom: a row for each would take the square of the pattern's length */
  readonly #seldom = new Map<number, readonly number[]>();
  /** the last row that was made of such */
  readonly #row: Uint32Array;
  /** what a code point that the pattern does not name may step into */
  readonly #acceptedElse: Uint32Array;
  readonly #slashes: Uint32Array;
  readonly #loops: Uint32Array;
  readonly #segmentLoops: Uint32Array;
  /** where any number of folders may follow */
  readonly #folders: Uint32Array;
  readonly #final: Uint32Array;
  readonly #hasFolders: boolean;

  constructor(tokens: readonly Token[], ending: string) {
    const length = tokens.reduce<number>((sum, token) => sum + consumed(token), 0) + (ending === "" ? 0 : 1);
    this.#words = Math.floor(length / BITS) + 1;
    this.#acceptedElse = this.#none();
    this.#slashes = this.#none();
    this.#loops = this.#none();
    this.#segmentLoops = this.#none();
    this.#folders = this.#none();
    this.#final = this.#none();
    this.#row = this.#none();
    this.#hasFolders = tokens.includes(FOLDERS);
    this.#fill(tokens, ending);
  }

  /** Whether what stands at `from` and after it matches. */
  matches(text: string, from = 0): boolean {
    return this.#words === 1 ? this.#matchesNarrow(text, from) : this.#matchesWide(text, from);
  }

  /** With all states in one word. */
  #matchesNarrow(text: string, from: number): boolean {
    const loops = this.#loops[0] ?? 0;
    const segmentLoops = loops | (this.#segmentLoops[0] ?? 0);
    const folders = this.#folders[0] ?? 0;
    let states = 1;
    let inside = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.codePointAt(at) ?? 0;
      if (unit > 0xffff) at += 1;
      const isSlash = unit === SLASH;
      inside |= states & folders;
      states =
        ((states << 1) & (this.#acceptedBy(unit)[0] ?? 0)) | (states & (isSlash ? loops : segmentLoops));
      if (isSlash) states |= inside;
      if ((states | inside) === 0) return false;
    }
    return (states & (this.#final[0] ?? 0)) !== 0;
  }

  #matchesWide(text: string, from: number): boolean {
    const states = this.#none();
    const inside = this.#hasFolders ? this.#none() : null;
    states[0] = 1;
    for (let at = from; at < text.length; at++) {
      const unit = text.codePointAt(at) ?? 0;
      if (unit > 0xffff) at += 1;
      if (!this.#step(states, inside, unit)) return false;
    }
    return states.some((word, index) => (word & (this.#final[index] ?? 0)) !== 0);
  }

  /** False where nothing that could follow would match. */
  #step(states: Uint32Array, inside: Uint32Array | null, unit: number): boolean {
    const accepted = this.#acceptedBy(unit);
    const isSlash = unit === SLASH;
    let carried = 0;
    let alive = 0;
    for (let index = 0; index < this.#words; index++) {
      const word = states[index] ?? 0;
      let next = ((word << 1) | carried) & (accepted[index] ?? 0);
      carried = word >>> (BITS - 1);
      next |= word & (this.#loops[index] ?? 0);
      if (!isSlash) next |= word & (this.#segmentLoops[index] ?? 0);
      if (inside !== null) {
        const within = (inside[index] ?? 0) | (word & (this.#folders[index] ?? 0));
        inside[index] = within;
        alive |= within;
        if (isSlash) next |= within;
      }
      states[index] = next;
      alive |= next;
    }
    return alive !== 0;
  }

  #acceptedBy(unit: number): Uint32Array {
    const accepted = this.#accepted.get(unit);
    if (accepted !== undefined) return accepted;
    const seldom = this.#seldom.get(unit);
    const others = unit === SLASH ? this.#slashes : this.#acceptedElse;
    if (seldom === undefined) return others;
    this.#row.set(others);
    for (const state of seldom) set(this.#row, state);
    return this.#row;
  }

  #fill(tokens: readonly Token[], ending: string): void {
    const named = new Map<number, number[]>();
    let state = 0;
    const name = (unit: number) => {
      const known = named.get(unit);
      if (known === undefined) named.set(unit, [state]);
      else known.push(state);
    };
    for (const token of tokens) {
      if (typeof token === "string") {
        for (const character of token) {
          state += 1;
          name(character.codePointAt(0) ?? 0);
        }
      } else if (token === ANY || token === SEGMENT_ANY) {
        state += 1;
        set(this.#acceptedElse, state);
        if (token === ANY) set(this.#slashes, state);
      } else set(this.#loopsOf(token), state);
    }
    set(this.#final, state);
    if (ending !== "") {
      state += 1;
      for (const character of ending) name(character.codePointAt(0) ?? 0);
      set(this.#loops, state);
      set(this.#final, state);
    }
    for (const [unit, states] of named) {
      if (states.length < this.#words) {
        this.#seldom.set(unit, states);
        continue;
      }
      const accepted = (unit === SLASH ? this.#slashes : this.#acceptedElse).slice();
      for (const each of states) set(accepted, each);
      this.#accepted.set(unit, accepted);
    }
  }

  #loopsOf(token: typeof RUN | typeof SEGMENT_RUN | typeof FOLDERS): Uint32Array {
    if (token === RUN) return this.#loops;
    return token === SEGMENT_RUN ? this.#segmentLoops : this.#folders;
  }

  #none(): Uint32Array {
    return new Uint32Array(this.#words);
  }
}

function consumed(token: Token): number {
  if (typeof token === "string") return codePoints(token);
  return token === ANY || token === SEGMENT_ANY ? 1 : 0;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function set(bits: Uint32Array, state: number): void {
  const index = Math.floor(state / BITS);
  bits[index] = (bits[index] ?? 0) | (1 << (state % BITS));
}
