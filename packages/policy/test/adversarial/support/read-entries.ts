import { readFileSync } from "node:fs";

/** One line of a data file: an id, and a text with its line ends and other invisible characters. */
export interface Entry {
  readonly id: string;
  readonly text: string;
  /** the last mark (`!name why`) above it; empty where there is none */
  readonly mark: string;
}

const VISIBLE: { readonly [sign: string]: string } = { "⏎": "\n", "⇥": "\t", "␍": "\r", "␌": "\f", "␣": " " };

/** Reads `id text` lines. `⏎`, `⇥`, `␍`, `␌` and `␣` stand for what they show, `#` begins a remark, `!name why` marks what follows. */
export function readEntries(file: URL): Entry[] {
  const entries: Entry[] = [];
  let mark = "";
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("!")) {
      mark = line.slice(1).split(" ", 1)[0] ?? "";
      continue;
    }
    const space = line.indexOf(" ");
    const text = line.slice(space + 1).replaceAll(/[⏎⇥␍␌␣]/g, (sign) => VISIBLE[sign] ?? sign);
    entries.push({ id: line.slice(0, space), text, mark });
  }
  return entries;
}
