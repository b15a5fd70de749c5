import { defineTool } from "@x/middleware";
import * as z from "zod";
import { lineCount, nameOf, replaceText, requireInside } from "./project-file.js";
import { pathSchema } from "./read-tool.js";

export function writeTool(root: string) {
  return defineTool({
    name: "write",
    description: "Writes a text file of the project, and the folders above it where they are missing.",
    input: z.strictObject({ path: pathSchema, content: z.string().max(100_000) }),
    async run({ path, content }) {
      const place = requireInside(root, path);
      await replaceText(place, content);
      return { summary: `${nameOf(root, place)}: ${lineCount(content)} written` };
    },
  });
}
