/**
 * Whether a path, or what follows a folder's `/`, is folded already and holds nothing that needs a closer look: no empty name,
 * `.` or `..`, no `/` at its end, no NUL, no surrogate, no `\`, no `~`, drive or `file:` in front.
 */
export function isPlainPath(path: string): boolean {
  const { length } = path;
  if (length === 0 || path.charCodeAt(length - 1) === SLASH) return false;
  if (path.charCodeAt(0) === TILDE || path.charCodeAt(1) === COLON || path.charCodeAt(4) === COLON)
    return false;
  let start = path.charCodeAt(0) === SLASH ? 1 : 0;
  for (let at = start; at <= length; at++) {
    const unit = at === length ? SLASH : path.charCodeAt(at);
    if (unit === SLASH) {
      if (at === start || isDots(path, start, at)) return false;
      start = at + 1;
    } else if (unit === 0 || unit === BACKSLASH || (unit >= 0xd800 && unit <= 0xdfff)) return false;
  }
  return true;
}

function isDots(path: string, start: number, end: number): boolean {
  if (path.charCodeAt(start) !== DOT) return false;
  return end - start === 1 || (end - start === 2 && path.charCodeAt(start + 1) === DOT);
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
const TILDE = 0x7e;
const COLON = 0x3a;
