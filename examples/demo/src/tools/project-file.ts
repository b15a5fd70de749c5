import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { ToolPermissionError } from "@x/middleware";
import { placeInside } from "../place-inside.js";

const LARGEST_FILE = 256 * 1024;
/** No link in the last place, and no waiting for the other end of a pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The place that a tool works on: the check has judged it, and the tool does not rely on that. */
export function requireInside(root: string, path: string): string {
  const place = placeInside(root, path);
  if (place === null) throw new ToolPermissionError("The path leads outside the project");
  return place;
}

/** How a tool names a place to the model. */
export function nameOf(root: string, place: string): string {
  return relative(root, place) || ".";
}

/** Rejects for anything but a regular file of UTF-8 text of at most 256 KiB. */
export async function readText(place: string): Promise<string> {
  const handle = await open(place, READ);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("not a regular file");
    if (stats.size > LARGEST_FILE) throw new Error("larger than 256 KiB");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LARGEST_FILE), 0, LARGEST_FILE, 0);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** What is there is replaced as a whole: readers, of other runs too, see the old text or the new one. */
export async function replaceText(place: string, text: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const fresh = `${place}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(fresh, text, { flag: "wx" });
    await rename(fresh, place);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

export function lineCount(text: string): string {
  const count = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return count === 1 ? "1 line" : `${count} lines`;
}
