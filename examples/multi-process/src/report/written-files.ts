import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the tools have really done: each file that they wrote, and how many lines. */
export async function writtenFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const part of ["notes", "outbox"]) {
    const names = await readdir(join(folder, part)).catch(() => []);
    for (const name of names.toSorted()) {
      const lines = (await readFile(join(folder, part, name), "utf8")).split("\n").length - 1;
      files.push(`${part}/${name} (${lines === 1 ? "1 line" : `${lines} lines`})`);
    }
  }
  return files;
}
