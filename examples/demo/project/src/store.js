import { readFile, writeFile } from "node:fs/promises";

/** The items of a file; none where there is no file yet. */
export async function loadItems(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

export async function saveItems(file, items) {
  await writeFile(file, `${JSON.stringify(items, null, 2)}\n`);
}
