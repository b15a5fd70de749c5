import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "@x/middleware";
import * as z from "zod";
import { nameOf, readText, requireInside } from "./project-file.js";
import { pathSchema } from "./read-tool.js";

const MOST_FILES = 500;
const MOST_MATCHES = 100;
const LONGEST_LINE = 200;

export function grepTool(root: string) {
  return defineTool({
    name: "grep",
    description: "Finds the lines of the project's files that contain a text, taken literally.",
    input: z.strictObject({ text: z.string().min(1).max(200), path: pathSchema.default(".") }),
    readOnly: true,
    async run({ text, path }, { signal }) {
      const matches: string[] = [];
      const files = await filesBelow(requireInside(root, path));
      for (const file of files) {
        signal.throwIfAborted();
        // What is no text, or too large, has no lines to find.
        const lines = (await readText(file).catch(() => "")).split("\n");
        for (const [index, line] of lines.entries()) {
          if (matches.length === MOST_MATCHES) break;
          if (!line.includes(text)) continue;
          matches.push(`${nameOf(root, file)}:${index + 1}: ${line.slice(0, LONGEST_LINE)}`);
        }
      }
      return { summary: `${matches.length} matches in ${files.length} files`, matches };
    },
  });
}

/** A file, or all files below a folder. Links are not followed: they may lead outside. */
async function filesBelow(start: string): Promise<string[]> {
  if (!(await lstat(start)).isDirectory()) return [start];
  const files: string[] = [];
  const folders = [start];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (files.length === MOST_FILES) return files;
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else if (entry.isFile()) files.push(join(folder, entry.name));
    }
  }
  return files.sort();
}
