import { defineTool } from "@x/middleware";
import * as z from "zod";
import { lineCount, nameOf, readText, requireInside } from "./project-file.js";

export const pathSchema = z.string().min(1).max(1000).describe("A path, taken from the project's folder");

export function readTool(root: string) {
  return defineTool({
    name: "read",
    description: "Reads a text file of the project.",
    input: z.strictObject({ path: pathSchema }),
    readOnly: true,
    async run({ path }) {
      const place = requireInside(root, path);
      const text = await readText(place);
      return { summary: `${nameOf(root, place)}: ${lineCount(text)}`, text };
    },
  });
}
