import type { CallTarget } from "./call-target.js";

/** Patterns below paths, of one call. */
const MOST_PLACES = 1_000;

/**
 * Where a `Glob` looks: at its paths, and where its pattern leads from there. A pattern alone stands for itself, below the
 * workspace's root. One whose wildcards could lead anywhere, by `..` behind them or braces that hold a path, also counts as the
 * root of the file system. More paths and patterns than anybody asks for in good faith count as one that cannot be read.
 */
export function globTargets(targets: readonly CallTarget[]): CallTarget[] {
  const folders = targets.filter(({ key }) => key !== "pattern");
  const patterns = targets.filter(({ key }) => key === "pattern");
  if (folders.length === 0 && patterns.length === 0)
    return [{ key: null, sort: "path", text: ".", as: null }];
  if (folders.length * patterns.length > MOST_PLACES)
    return [...folders, { key: "pattern", sort: "path", text: "", as: null }];
  const led = patterns.flatMap((pattern) => {
    const ways = folders.length === 0 ? [pattern] : leadingBelow(folders, pattern);
    return leadsAnywhere(pattern.text) ? [...ways, { ...pattern, text: "/" }] : ways;
  });
  return [...folders, ...led];
}

/** The folders that a pattern names before its first wildcard, below each of the paths. */
function leadingBelow(folders: readonly CallTarget[], pattern: CallTarget): CallTarget[] {
  const text = literalFolder(pattern.text);
  if (text === "") return pattern.text === "" ? [pattern] : [];
  if (/^[/~\\]|^[A-Za-z]:/.test(text)) return [{ ...pattern, text }];
  return folders.map((folder) => ({ ...pattern, text: folder.text === "" ? "" : `${folder.text}/${text}` }));
}

/** All names before the first that holds a wildcard. */
function literalFolder(pattern: string): string {
  const special = pattern.search(SPECIAL);
  return special === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", special) + 1);
}

const SPECIAL = /[*?[\]{}()!+@\\]/;
/** An alternative that is empty, or begins with what leads up, home or to the top. */
const LEADING_BRACE = /[{,(|](?=[},)|])|[{,(|][./~\\]*[},)|/]/;

function leadsAnywhere(pattern: string): boolean {
  const special = pattern.search(SPECIAL);
  if (special === -1) return false;
  const rest = pattern.slice(special);
  return rest.includes("..") || rest.includes("\\") || (/[{(]/.test(rest) && LEADING_BRACE.test(rest));
}
