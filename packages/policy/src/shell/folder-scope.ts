import type { Line } from "./line.js";

/** What runs in a shell of its own leaves the folder of this one as it is. */
export function isolated(line: Line, walk: () => void): void {
  const { folder } = line;
  walk();
  line.folder = folder;
}

/** What may run again, or not at all: if it moves, where its commands run cannot be told. */
export function looping(line: Line, walk: () => void): void {
  const { folder } = line;
  const first = line.parts.length;
  walk();
  if (line.folder === folder) return;
  line.folder = null;
  for (const part of line.parts.slice(first)) part.folder = null;
}
