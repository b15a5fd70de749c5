import { open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ChainHead, readSeal } from "./chain.js";
import { partOf } from "./ledger-names.js";
import { readTail, type Tail } from "./tail.js";
import { isWholeLine } from "./torn-text.js";

/** Where a chain stands, and the name of the file that holds its last line. */
export interface ChainPosition {
  file: string;
  head: ChainHead;
}

/** Where the chain stands at the end of `file`; null where its last whole line is in none. */
export function positionAt(file: string, { last, rest }: Tail): ChainPosition | null {
  const line = isWholeLine(rest) ? rest.toString("utf8") : last;
  const seal = line === null ? null : readSeal(line);
  return seal === null ? null : { file: basename(file), head: { seq: seal.seq, hash: seal.hash } };
}

/** Where the chain of `file` stood when its last part was rotated away; null where there is none, or it has no chain. */
export async function positionAfterParts(file: string): Promise<ChainPosition | null> {
  const last = (await rotatedParts(file)).at(-1);
  if (last === undefined) return null;
  const handle = await open(last.file, "r");
  try {
    return positionAt(last.file, await readTail(handle, (await handle.stat()).size));
  } finally {
    await handle.close();
  }
}

/** What of `file` was rotated away, in the order of writing. */
export async function rotatedParts(file: string): Promise<{ file: string; part: number }[]> {
  const folder = dirname(file);
  return (await readdir(folder))
    .map((name) => join(folder, name))
    .flatMap((other) => {
      const part = partOf(file, other);
      return part === null ? [] : [{ file: other, part }];
    })
    .sort((left, right) => left.part - right.part);
}
