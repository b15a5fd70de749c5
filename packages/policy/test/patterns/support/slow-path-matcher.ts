/**
 * Whether a pattern of plain names and wildcards, rooted at `root`, covers the absolute path: by names, and trying everything.
 * For an allow (`tightens` false) or a deny. The root's names hold no wildcards.
 */
export function slowPathMatches(root: string, pattern: string, path: string, tightens: boolean): boolean {
  const names = namesOf(path);
  const isWhole = /^(?:\.?\/)*\*\*\/?$/.test(pattern);
  const full = [...namesOf(root), ...(isWhole ? [] : namesOf(pattern))];
  const isFolder = isWhole || pattern.endsWith("/");
  if (!tightens)
    return coversNames(full, names) || (isFolder && beginsWith(names, (part) => coversNames(full, part)));
  const floats = namesOf(pattern)[0] === "**";
  const tight = withoutOpenEnd(floats ? namesOf(pattern) : full);
  return tight.length === 0 || beginsWith(names, (part) => matchesCrossing(tight, part));
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function withoutOpenEnd(pattern: readonly string[]): readonly string[] {
  return /^\*+$/.test(pattern.at(-1) ?? "") ? withoutOpenEnd(pattern.slice(0, -1)) : pattern;
}

function beginsWith(names: readonly string[], matches: (part: readonly string[]) => boolean): boolean {
  return Array.from({ length: names.length + 1 }, (_, count) => names.slice(0, count)).some(matches);
}

/** Name by name, each `**` any number of them. */
function coversNames(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return names.length === 0;
  if (first === "**" && rest.length === 0) return names.length > 0;
  if (first === "**")
    return names.some((_, index) => coversNames(rest, names.slice(index))) || coversNames(rest, []);
  const [name, ...others] = names;
  return (
    name !== undefined &&
    new RegExp(`^${toExpression(first, "[^/]")}$`, "su").test(name) &&
    coversNames(rest, others)
  );
}

/** As one text, where every wildcard crosses names. */
function matchesCrossing(pattern: readonly string[], names: readonly string[]): boolean {
  const expression = pattern
    .map((name) => (name === "**" ? "(?:/[^/]*)*?" : `/${toExpression(name, "[^]")}`))
    .join("");
  return new RegExp(`^${expression}$`, "u").test(`/${names.join("/")}`.replace(/^\/$/, ""));
}

function toExpression(name: string, any: string): string {
  return name.replace(/\*+|\?|[^*?]/gu, (piece) => {
    if (piece === "?") return any;
    return piece.startsWith("*") ? `${any}*` : piece.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
}
