/** A spelling of a path that all spellings share which some file system takes for the same: accents composed, case folded. */
export function foldSpelling(path: string, caseInsensitive: boolean): string {
  const composed = ASCII.test(path) ? path : path.normalize("NFC");
  if (!caseInsensitive) return composed;
  const upper = composed.toUpperCase();
  return ASCII.test(upper) ? upper : upper.normalize("NFC");
}

const ASCII = /^[\0-\x7f]*$/;
