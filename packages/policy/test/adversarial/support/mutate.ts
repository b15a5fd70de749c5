import type { SeededRandom } from "./seeded-random.js";
import { fragments } from "./shapes.js";

const QUOTES: readonly string[] = ["'", '"', "`", "", "\\'", '\\"', "$'", '$"'];

/** Changes a text in one place, now and then in a few. */
export function mutate(text: string, random: SeededRandom): string {
  let changed = text;
  for (let rounds = random.chance(25) ? 1 + random.below(3) : 1; rounds > 0; rounds -= 1)
    changed = random.pick(CHANGES)(changed, random);
  return changed;
}

type Change = (text: string, random: SeededRandom) => string;

const CHANGES: readonly Change[] = [
  insertFragment,
  insertFragment,
  insertFragment,
  (text, random) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + text.slice(at + 1 + random.below(3));
  },
  (text, random) => {
    const at = random.below(text.length + 1);
    const length = 1 + random.below(8);
    return text.slice(0, at + length) + text.slice(at);
  },
  replaceQuote,
  replaceQuote,
  (text, random) => {
    const words = text.split(" ");
    const at = random.below(words.length);
    const moved = words.splice(at, 1);
    words.splice(random.below(words.length + 1), 0, ...moved);
    return words.join(" ");
  },
  (text, random) => {
    const at = random.below(text.length + 1);
    return `${text.slice(0, at)}\\\n${text.slice(at)}`;
  },
  quoteSlice,
];

function insertFragment(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(fragments) + text.slice(at);
}

function replaceQuote(text: string, random: SeededRandom): string {
  const places = [...text.matchAll(/['"`\\]/g)].map(({ index }) => index);
  if (places.length === 0) return insertFragment(text, random);
  const at = random.pick(places);
  return text.slice(0, at) + random.pick(QUOTES) + text.slice(at + 1);
}

function quoteSlice(text: string, random: SeededRandom): string {
  const start = random.below(text.length + 1);
  const end = start + random.below(12);
  const quote = random.pick(QUOTES);
  return text.slice(0, start) + quote + text.slice(start, end) + quote.slice(-1) + text.slice(end);
}
