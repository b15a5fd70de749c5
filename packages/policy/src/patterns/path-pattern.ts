import { foldNames, foldRelative } from "../paths/fold-names.js";
import { type PlacedPath, type Places, placePath, withSlashes } from "../paths/place-path.js";
import { WINDOWS_ANYWHERE } from "../paths/windows-forms.js";
import { prefixOf } from "./compile-pattern.js";
import { ANY, FOLDERS, joinTokens, RUN, SEGMENT_ANY, SEGMENT_RUN, type Token } from "./token.js";

export interface PathPatternOptions {
  readonly exact: boolean;
  /** it belongs to a deny or an ask: wildcards cross folders, a leading `**` floats, and what is below counts */
  readonly tightens: boolean;
  /** null: there is no workspace */
  readonly places: Places | null;
  /** which system reads the pattern where there is no workspace; default posix */
  readonly platform?: Places["platform"];
}

/** A pattern for paths, taken apart. */
export interface PathPattern {
  readonly top: string;
  /** the names in front that hold no wildcard */
  readonly literal: readonly string[];
  /** what follows them, beginning with its `/`; empty: nothing */
  readonly rest: readonly Token[];
  /** what is below the path matches as well as the path */
  readonly below: boolean;
  /** it may begin at any folder, so that `literal` counts for nothing */
  readonly floats: boolean;
  /** absolute, as paths are where there is a workspace */
  readonly absolute: boolean;
}

/**
 * Reads a pattern for paths: rooted at the workspace if it is relative, `~` the home folder, `.` and `..` folded. A pattern
 * that ends in `/`, `:*` or `:` names a folder and all that is below it; so does `**` alone, and so does every pattern that
 * tightens.
 */
export function parsePathPattern(pattern: string, options: PathPatternOptions): PathPattern {
  const { exact, tightens, places } = options;
  const platform = places?.platform ?? options.platform ?? "posix";
  const { text, below } = exact
    ? { text: pattern, below: false }
    : folderOf(withSlashes(pattern, platform), platform);
  const placed = place(withSlashes(text, platform), places, platform);
  const absolute = places !== null || placed.from === "top";
  if (exact) return literalPattern(placed, { absolute, tightens });
  const { base, names } = fold(placed, { tightens, isLexical: places === null });
  const isEverywhere = placed.from !== "top" && names.length === 1 && isFolders(names[0]);
  const floats =
    tightens && placed.from !== "top" && (isFolders(names[0]) || isUnplaced(text, placed, places));
  const open = tightens ? withoutOpenEnd(names) : isEverywhere ? [] : names;
  const literalCount = open.findIndex((name) => WILDCARD.test(name));
  const count = literalCount === -1 ? open.length : literalCount;
  return {
    top: placed.top,
    literal: floats ? [] : [...base, ...open.slice(0, count)],
    rest: floats ? [RUN, ...restOf(withoutFolders(open), tightens)] : restOf(open.slice(count), tightens),
    below: below || tightens || isEverywhere,
    floats,
    absolute,
  };
}

/** All tokens of a pattern whose literal folders are `folder`, a folded path without `/` at its end. */
export function pathTokens({ rest, below, floats, absolute }: PathPattern, folder: string): Token[] {
  const isTop = absolute && folder === "" && rest.length === 0 && !below;
  return joinTokens(floats ? rest : [isTop ? "/" : folder, ...rest]);
}

const WILDCARD = /[*?]/;
const DRIVE = /^([A-Za-z]:)\*?$/;

function folderOf(pattern: string, platform: Places["platform"]): { text: string; below: boolean } {
  const drive = platform === "win32" ? DRIVE.exec(pattern)?.[1] : undefined;
  if (drive !== undefined) return { text: `${drive}/`, below: true };
  const prefix = prefixOf(pattern);
  return prefix === null ? { text: pattern, below: pattern.endsWith("/") } : { text: prefix, below: true };
}

function place(text: string, places: Places | null, platform: Places["platform"]): PlacedPath {
  if (places !== null) return placePath(text, places);
  if (platform === "win32") return placePath(text, WINDOWS_ANYWHERE);
  const from = text.startsWith("/") ? "top" : "root";
  const names = text.split("/").filter((name) => name !== "" && name !== ".");
  return { top: "", base: [], names, from, doubtful: false };
}

function literalPattern(
  { top, base, names }: PlacedPath,
  { absolute, tightens }: { absolute: boolean; tightens: boolean },
): PathPattern {
  const literal = absolute ? foldNames([...base, ...names]) : foldRelative(names);
  const floats = tightens && !absolute && literal.length > 0;
  const rest: Token[] = floats ? [RUN, `/${literal.join("/")}`] : [];
  return { top, literal: floats ? [] : literal, rest, below: false, floats, absolute };
}

/** A `..` takes a name away; behind a wildcard it stays where the pattern allows, so that it matches nothing. */
function fold(
  placed: PlacedPath,
  { tightens, isLexical }: { tightens: boolean; isLexical: boolean },
): { base: string[]; names: string[] } {
  const base = [...placed.base];
  const names: string[] = [];
  for (const name of placed.names) {
    const last = names.at(-1);
    if (name !== "..") names.push(name);
    else if (last === undefined) {
      if (base.pop() === undefined && isLexical && placed.from === "root") names.push(name);
    } else if (last === ".." || (!tightens && WILDCARD.test(last))) names.push(name);
    else if (!isFolders(last)) names.pop();
  }
  return { base, names };
}

/** A relative pattern without a workspace, or one at a home that is not known. */
function isUnplaced(text: string, placed: PlacedPath, places: Places | null): boolean {
  return places === null || (places.home === null && placed.from === "root" && /^~(?:\/|$)/.test(text));
}

/** Without the `*` and `**` at its end: all that is below matches anyway. */
function withoutOpenEnd(names: readonly string[]): readonly string[] {
  let end = names.length;
  while (end > 0 && /^\*+$/.test(names[end - 1] ?? "")) end -= 1;
  return names.slice(0, end);
}

function withoutFolders(names: readonly string[]): readonly string[] {
  const start = names.findIndex((name) => !isFolders(name) && name !== "~");
  return start === -1 ? [] : names.slice(start);
}

function isFolders(name: string | undefined): boolean {
  return name === "**";
}

function restOf(names: readonly string[], tightens: boolean): Token[] {
  const tokens: Token[] = [];
  names.forEach((name, index) => {
    if (!isFolders(names[index - 1])) tokens.push("/");
    if (!isFolders(name)) tokens.push(...nameTokens(name, tightens));
    else tokens.push(index === names.length - 1 ? RUN : FOLDERS);
  });
  return tokens;
}

function nameTokens(name: string, tightens: boolean): Token[] {
  return (name.match(/\*+|\?|[^*?]+/g) ?? []).map((piece): Token => {
    if (piece === "?") return tightens ? ANY : SEGMENT_ANY;
    if (!piece.startsWith("*")) return piece;
    return tightens || piece.length > 1 ? RUN : SEGMENT_RUN;
  });
}
