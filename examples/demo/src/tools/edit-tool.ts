import { defineTool } from "@x/middleware";
import * as z from "zod";
import { nameOf, readText, replaceText, requireInside } from "./project-file.js";
import { pathSchema } from "./read-tool.js";

const textSchema = z.string().max(4000);

export function editTool(root: string) {
  return defineTool({
    name: "edit",
    description: "Replaces a text that a file of the project holds exactly once.",
    input: z.strictObject({ path: pathSchema, old: textSchema.min(1), new: textSchema }),
    async run({ path, old, new: replacement }) {
      const place = requireInside(root, path);
      const edited = applyEdit(await readText(place), old, replacement);
      if (edited !== null) await replaceText(place, edited);
      const outcome = edited === null ? "edited like this already" : "edited";
      return { summary: `${nameOf(root, place)}: ${outcome}` };
    },
  });
}

/** The edited text; null where the edit was made before, so that a session can be replayed. Throws where it does not fit. */
function applyEdit(text: string, old: string, replacement: string): string | null {
  const start = text.indexOf(old);
  const isMade = replacement !== "" && text.includes(replacement);
  if (isMade && (start === -1 || replacement.includes(old))) return null;
  if (start === -1) throw new Error("the file does not hold the old text");
  if (text.indexOf(old, start + 1) !== -1) throw new Error("the file holds the old text more than once");
  return text.slice(0, start) + replacement + text.slice(start + old.length);
}
