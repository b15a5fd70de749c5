import { readdir } from "node:fs/promises";
import { defineTool } from "@x/middleware";
import * as z from "zod";
import { nameOf, requireInside } from "./project-file.js";
import { pathSchema } from "./read-tool.js";

const MOST_ENTRIES = 200;

export function listTool(root: string) {
  return defineTool({
    name: "list",
    description: "Lists a folder of the project. Folders end in a slash.",
    input: z.strictObject({ path: pathSchema.default(".") }),
    readOnly: true,
    async run({ path }) {
      const place = requireInside(root, path);
      const entries = await readdir(place, { withFileTypes: true });
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      return {
        summary: `${nameOf(root, place)}: ${names.length} entries`,
        names: names.slice(0, MOST_ENTRIES),
      };
    },
  });
}
