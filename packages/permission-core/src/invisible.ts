/**
 * Controls, formats, surrogates, private and unassigned code points (C), separators (Z), what fonts are told to ignore
 * (variation selectors, fillers, tags), and a few letters and symbols that are drawn blank.
 */
const INVISIBLE =
  /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{2800}\u{fffc}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;

const COMBINING = /^\p{M}/u;

/** Whether a character shows nothing, or changes how others are shown. U+0020 alone among the spaces is what it seems. */
export function isInvisible(character: string): boolean {
  return character !== " " && INVISIBLE.test(character);
}

/** Whether a character is drawn on the one before it. */
export function isCombining(character: string): boolean {
  return COMBINING.test(character);
}
