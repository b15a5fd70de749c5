/** Names with each `..` and the one before it taken away. At the start it leads nowhere: there is nothing above. */
export function foldNames(names: Iterable<string>): string[] {
  const folded: string[] = [];
  for (const name of names) {
    if (name === "..") folded.pop();
    else folded.push(name);
  }
  return folded;
}

/** The same of names that something stands above: a `..` at the start stays. */
export function foldRelative(names: Iterable<string>): string[] {
  const folded: string[] = [];
  for (const name of names) {
    if (name === ".." && folded.length > 0 && folded.at(-1) !== "..") folded.pop();
    else folded.push(name);
  }
  return folded;
}

/** An absolute path of its parts; the top alone ends in `/`. */
export function joinPath(top: string, names: readonly string[]): string {
  return `${top}/${names.join("/")}`;
}

/** Whether `path` is `folder` or below it. Both are absolute and folded. */
export function isWithin(folder: string, path: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith("/") || path.charCodeAt(folder.length) === SLASH;
}

const SLASH = 0x2f;
