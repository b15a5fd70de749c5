/** A spelling of a path that all spellings share which some file system takes for the same: accents composed, case folded. */
export function foldSpelling(path: string, caseInsensitive: boolean): string {
  const composed = isAscii(path) ? path : path.normalize("NFC");
  if (!caseInsensitive) return composed;
  const upper = composed.toUpperCase();
  return isAscii(upper) ? upper : upper.normalize("NFC");
}

/** Most texts are, and have one spelling only. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
