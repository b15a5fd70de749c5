/** From here on, UTF-16 order and code point order differ: surrogates sort before U+E000, the characters they spell after U+FFFF. */
const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;
const HAS_HIGH_UNIT = /[\ud800-\uffff]/;
/** Up to so many keys, insertion beats the engine's sort. */
const FEW_KEYS = 16;

/** Sorts in place by Unicode code point, which is also the order of the UTF-8 bytes, and gives the same array. */
export function sortKeys(keys: string[]): string[] {
  if (keys.length <= FEW_KEYS) return insertionSort(keys);
  return keys.some((key) => HAS_HIGH_UNIT.test(key)) ? keys.sort(compareCodePoints) : keys.sort();
}

function insertionSort(keys: string[]): string[] {
  for (let sorted = 1; sorted < keys.length; sorted++) {
    const key = keys[sorted] as string;
    let hole = sorted;
    for (; hole > 0; hole--) {
      const before = keys[hole - 1] as string;
      if (compareCodePoints(before, key) <= 0) break;
      keys[hole] = before;
    }
    keys[hole] = key;
  }
  return keys;
}

/** Negative, zero or positive, as `left` stands before, with or after `right`. */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return codePointRank(leftUnit) - codePointRank(rightUnit);
  }
  return left.length - right.length;
}

function codePointRank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit < FIRST_AFTER_SURROGATES ? unit + 0x10000 : unit;
}
