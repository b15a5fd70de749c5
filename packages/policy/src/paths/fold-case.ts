/** A spelling of a path that all spellings share which some file system takes for the same: accents composed, case folded. */
export function foldSpelling(path: string, caseInsensitive: boolean): string {
  const composed = isAscii(path) ? path : path.normalize("NFC");
  if (!caseInsensitive) return composed;
  const upper = composed.toUpperCase();
  return isAscii(upper) ? upper : upper.normalize("NFC");
}

/**
 * Other spellings of a path, which is as much as it says where accents are letters of their own, or where a letter stays one in
 * whatever case: a `?` may stand for just that. None for most paths.
 */
export function plainSpellings(path: string, caseInsensitive: boolean): string[] {
  if (isAscii(path)) return [];
  const forms = [path, path.normalize("NFC")];
  return caseInsensitive ? forms.map((form) => Array.from(form, upperLetter).join("")) : forms;
}

function upperLetter(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.length === letter.length ? upper : letter;
}

/** Most texts are, and have one spelling only. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
